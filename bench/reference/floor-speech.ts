// The floor of speech: one process that pipes the vendor's stream to its caller, node:http in and undici out. No worker, no
// queue, no key, no reservation, no bytes counted.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { announce } from '../src/program';

const { UPSTREAM_URL = '' } = process.env;
const CONNECTIONS = 128;
const vendor = new Pool(UPSTREAM_URL, { connections: CONNECTIONS });

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.once('end', () => {
    const headers = { 'content-type': 'application/json' };
    const options = { method: 'POST', path: request.url ?? '/', headers, body: Buffer.concat(chunks) } as const;
    vendor
      .stream(options, ({ statusCode }) => response.writeHead(statusCode, { 'content-type': 'audio/pcm' }))
      .catch(() => response.destroy());
  });
});
server.listen(0, '127.0.0.1', () => announce({ port: (server.address() as AddressInfo).port }));
