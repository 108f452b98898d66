import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClosedLoop, runClosedLoop } from '../src/load/closed-loop';

const CONNECTIONS = 4;

describe('closed-loop load', () => {
  let server: Server;
  let load: ClosedLoop;
  let seen: { method: string; url: string; key: string; body: string }[];
  let status: number;

  // A server for each test: what is still on its way when a load ends must not be taken for the next one's.
  beforeEach(async () => {
    const requests: typeof seen = [];
    seen = requests;
    status = 200;
    server = createServer(async (request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      requests.push({
        method: request.method ?? '',
        url: request.url ?? '',
        key: String(request.headers['x-key']),
        body,
      });
      response.writeHead(status, { 'content-length': 2 }).end('ok');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/submit`;
    const headers = { 'X-Key': 'a: b' };
    load = { url, method: 'POST', headers, body: '{"n":1}', connections: CONNECTIONS, durationMs: 1000 };
  });

  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  it('sends method, headers and body as they are given', async () => {
    await runClosedLoop(load);
    expect(new Set(seen.map((request) => JSON.stringify(request))).size).toBe(1);
    expect(seen[0]).toEqual({ method: 'POST', url: '/submit', key: 'a: b', body: '{"n":1}' });
  });

  it('counts the answers, but for those in flight at the end', async () => {
    const { requests, failures, seconds, p50Ms, p99Ms } = await runClosedLoop(load);
    expect(requests).toBeGreaterThan(0);
    expect(requests).toBeLessThanOrEqual(seen.length);
    expect(requests).toBeGreaterThanOrEqual(seen.length - CONNECTIONS);
    expect(failures).toBe(0);
    expect(seconds).toBeGreaterThan(0.9);
    expect(p99Ms).toBeGreaterThanOrEqual(p50Ms);
  });

  it('asks for the paths at random', async () => {
    const paths = Array.from({ length: 20 }, (_, index) => `/tasks/${index}`);
    const { body: _body, ...get } = load;
    await runClosedLoop({ ...get, method: 'GET', paths });
    expect(new Set(seen.map(({ url }) => url))).toEqual(new Set(paths));
    expect(seen.slice(0, 20).map(({ url }) => url)).not.toEqual(paths);
  });

  it('counts an answer that is no success as a failure', async () => {
    status = 500;
    const { failures } = await runClosedLoop(load);
    expect(failures).toBeGreaterThan(0);
    expect(failures).toBeGreaterThanOrEqual(seen.length - CONNECTIONS);
  });
});
