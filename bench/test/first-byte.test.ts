import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runStreamLoad } from '../src/load/first-byte';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  jest.restoreAllMocks();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('a load of streamed answers', () => {
  it('times the first byte of the body, not the header and not the end', async () => {
    let nowMs = 0;
    let looks = 0;
    let sendLast = () => {};
    // The third look at the clock, after those at the load's beginning and the request's, is that at the first byte.
    jest.spyOn(performance, 'now').mockImplementation(() => {
      looks += 1;
      if (looks === 3) sendLast();
      return nowMs;
    });
    const url = await serve((_request, response) => {
      sendLast = () => response.end('b');
      response.writeHead(200).flushHeaders();
      setTimeout(() => {
        nowMs = 1000;
        response.write('a');
      }, 60);
    });
    const load = { url, headers: {}, body: '{}', callers: 1, durationMs: 1 };
    const { answers, bytes, failures, firstByteMs } = await runStreamLoad(load);
    expect({ answers, bytes, failures }).toEqual({ answers: 1, bytes: 2, failures: [] });
    expect(firstByteMs).toEqual([1000]);
  });

  it('says what became of answers that were refused, empty or broken off', async () => {
    let calls = 0;
    const url = await serve((_request, response) => {
      calls += 1;
      if (calls === 1) response.writeHead(503).end('no');
      else if (calls === 2) response.writeHead(200).end();
      else response.write('a', () => response.destroy());
    });
    const result = await runStreamLoad({ url, headers: {}, body: '', callers: 3, durationMs: 0 });
    expect(result).toMatchObject({ answers: 0, firstByteMs: [] });
    expect([...result.failures].sort()).toEqual(['200, whole, 0 bytes', '503, whole, 2 bytes', 'Error: aborted']);
  });
});
