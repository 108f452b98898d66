// The floor of a text: node:http in, undici out to the same vendor over kept connections, and durable rows of as many bytes as
// a text of the product writes. No key, no parsing, no limits, no log, no metrics. One half is written before the vendor is asked,
// as a reservation is, and one after the answer, as a settlement.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { announce, serveOrders } from '../src/program';
import { openFloorLog } from './floor-log';

const { DATABASE_URL = '', UPSTREAM_URL = '', BYTES = '' } = process.env;
const VENDOR_PATH = '/v1beta/models/bench:generateContent';
const bytes = Number(BYTES);
const vendor = new Pool(UPSTREAM_URL, { connections: 128 });
let written = 0;

void openFloorLog(DATABASE_URL).then((log) => {
  async function answer(body: Buffer, response: ServerResponse): Promise<void> {
    await log.write(bytes / 2);
    const headers = { 'content-type': 'application/json' };
    const found = await vendor.request({ method: 'POST', path: VENDOR_PATH, headers, body });
    const text = Buffer.from(await found.body.arrayBuffer());
    response.writeHead(found.statusCode, { 'content-type': 'application/json', 'content-length': text.length });
    response.end(text);
    await log.write(bytes / 2);
    written += 1;
  }

  const server = createServer((request, response) => {
    read(request, (body) => answer(body, response).catch(() => response.destroy()));
  });
  server.listen(0, '127.0.0.1', () => {
    serveOrders(async () => ({ written }));
    announce({ port: (server.address() as AddressInfo).port });
  });
});

function read(request: IncomingMessage, then: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.once('end', () => then(Buffer.concat(chunks)));
}
