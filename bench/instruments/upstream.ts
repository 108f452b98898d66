// A vendor that answers after LATENCY_MS (0), with the same small image: what is measured is the product, not the vendor. Its orders
// ask how many calls it has had.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announce, serveOrders } from '../src/program';

/** One pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const USAGE = { input_tokens: 60, output_tokens: 196, total_tokens: 256 };
const BODY = JSON.stringify({ created: 1_700_000_000, data: [{ b64_json: PNG }], output_format: 'png', usage: USAGE });
const LATENCY_MS = Number(process.env['LATENCY_MS'] ?? 0);
let calls = 0;

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    calls += 1;
    if (LATENCY_MS === 0) answer(response);
    else setTimeout(answer, LATENCY_MS, response);
  });
});
function answer(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(BODY) });
  response.end(BODY);
}

server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', () => {
  serveOrders(async () => ({ calls }));
  announce({ port: (server.address() as AddressInfo).port });
});
