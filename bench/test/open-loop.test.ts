import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import timers, { setImmediate as nextTurn } from 'node:timers/promises';
import { createHttpSender } from '../src/load/http-sender';
import { runOpenLoop } from '../src/load/open-loop';

/** The time that the generator sees, in milliseconds: it passes only while it waits, and where a test says so. */
let nowMs = 0;
async function pass(ms: number): Promise<void> {
  await nextTurn();
  nowMs += ms;
}

beforeEach(() => {
  nowMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  jest.spyOn(timers, 'setTimeout').mockImplementation((ms = 0) => pass(ms));
  jest.spyOn(timers, 'setImmediate').mockImplementation(() => pass(0.5));
});
afterEach(() => jest.restoreAllMocks());

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

  it('charges a server that answers at once with nothing', async () => {
    const { latenciesMs } = await runOpenLoop({ perSecond: 2, durationMs: 1500, send: async () => true });
    expect(latenciesMs).toEqual([0, 0, 0]);
  });

  it('does not send ahead of the schedule', async () => {
    const sentAt: number[] = [];
    const send = async () => sentAt.push(nowMs) > 0;
    await runOpenLoop({ perSecond: 100, durationMs: 300, send });
    expect(sentAt).toEqual(Array.from({ length: 30 }, (_, index) => index * 10));
  });

  it('charges a stall to everyone who was due while it lasted', async () => {
    const stallMs = 300;
    const held: ((isAnswered: boolean) => void)[] = [];
    const send = () =>
      new Promise<boolean>((resolve) => {
        if (held.push(resolve) < 30) return;
        nowMs = stallMs;
        for (const answer of held) answer(true);
      });
    const { latenciesMs } = await runOpenLoop({ perSecond: 100, durationMs: stallMs, send });
    // Request i was due after 10 i ms; a generator that waits for the answer before it sends would never send the second.
    expect(latenciesMs).toEqual(Array.from({ length: 30 }, (_, index) => stallMs - index * 10));
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
