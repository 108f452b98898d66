import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpSender } from '../src/load/http-sender';
import { runOpenLoop } from '../src/load/open-loop';

describe('the open-loop generator', () => {
  let server: Server;
  let url: string;
  let requests = 0;

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests += 1;
      request.resume();
      response.writeHead(request.url === '/refused' ? 503 : 200).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    server.close();
    await once(server, 'close');
  });

  const sender = (path = '/') => createHttpSender({ url: `${url}${path}`, headers: {}, body: '{}', connections: 8 });

  it('sends one request a period and answers with one latency each', async () => {
    requests = 0;
    const { send, close } = sender();
    const { latenciesMs, failures } = await runOpenLoop({ perSecond: 100, durationMs: 500, send });
    close();
    expect(requests).toBe(50);
    expect(latenciesMs.filter((latency) => latency >= 0)).toHaveLength(50);
    expect(failures).toBe(0);
  });

  it('charges a server that answers at once with less than a period', async () => {
    const { send, close } = sender();
    // Counting from the wrong moment is off by a whole period, here 500 ms: by the best, for a busy machine keeps some waiting.
    const { latenciesMs } = await runOpenLoop({ perSecond: 2, durationMs: 1500, send });
    close();
    expect(Math.min(...latenciesMs)).toBeLessThan(450);
  });

  it('does not send ahead of the schedule', async () => {
    const sentAt: number[] = [];
    const startedAt = performance.now();
    const send = async () => sentAt.push(performance.now() - startedAt) > 0;
    await runOpenLoop({ perSecond: 100, durationMs: 300, send });
    expect(sentAt.every((at, index) => at >= index * 10)).toBe(true);
  });

  it('charges a stall to everyone who was due while it lasted', async () => {
    const stallMs = 300;
    const release = new Promise<boolean>((resolve) => setTimeout(resolve, stallMs + 1, true));
    const { latenciesMs } = await runOpenLoop({ perSecond: 100, durationMs: stallMs, send: () => release });
    // Request i was due after 10 i ms; a generator that waits for the answer before it sends would have charged one.
    const expected = Array.from({ length: 30 }, (_, index) => stallMs - index * 10);
    expect(latenciesMs.every((latency, index) => latency >= (expected[index] ?? 0) - 1)).toBe(true);
  });

  it('counts what was not answered with success', async () => {
    const { send, close } = sender('/refused');
    const { failures } = await runOpenLoop({ perSecond: 100, durationMs: 100, send });
    close();
    expect(failures).toBe(10);
  });

  it('counts connections that nobody takes', async () => {
    const gone = createServer();
    gone.listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    const { send, close } = createHttpSender({
      url: `http://127.0.0.1:${port}`,
      headers: {},
      body: '',
      connections: 1,
    });
    const { failures } = await runOpenLoop({ perSecond: 100, durationMs: 50, send });
    close();
    expect(failures).toBe(5);
  });
});
