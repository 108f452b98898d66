import type net from 'node:net';
import { HELD_LIMIT_MS, holdLimits } from '@mediagate/testkit/clock';
import { createGuardedClient, type GuardedClientOptions, type PostOptions, type Resolve } from '../src';
import { closeListeners, type Listener, listen, listenRaw } from './listeners';

afterEach(closeListeners);
afterEach(() => jest.restoreAllMocks());
const limits = holdLimits();

const CALL: PostOptions = { headers: {}, body: '{}', timeoutMs: 60_000, maxResponseBytes: 4_096 };
const FINE = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** Loopback addresses stand for public ones, but for 127.0.0.1, which stands for the inside of the network. */
function client(port: number, options: Partial<GuardedClientOptions> = {}) {
  const allowPrivateCidrs = ['127.0.0.2/32', '127.0.0.3/32'];
  return createGuardedClient({ allowPrivateCidrs, allowPorts: [port], allowOrigins: [], ...options });
}

/** Answers each request on the address; what it was asked for, by connection. */
async function receiver(address: string, port = 0) {
  const hosts: (string | undefined)[] = [];
  const server = await listen(
    (request, response) => {
      hosts.push(request.headers.host);
      request.resume().on('end', () => response.end('ok'));
    },
    address,
    port,
  );
  return { ...server, connects: server.connects, hosts };
}

/** Names and their addresses, which may change, and how often they were asked for. */
function names(table: Record<string, string[]>) {
  const asked: string[] = [];
  const resolve: Resolve = async (hostname) => {
    asked.push(hostname);
    return table[hostname] ?? [];
  };
  return { table, asked, resolve };
}

/** Requests are answered in turn, each by what is written to the socket; the last goes on. */
async function scripted(...turns: ((socket: net.Socket) => void)[]): Promise<Listener & { requests(): number }> {
  let requests = 0;
  const server = await listenRaw((socket) => {
    socket.on('data', () => {
      const turn = turns[Math.min(requests, turns.length - 1)];
      requests += 1;
      turn?.(socket);
    });
  }, '127.0.0.2');
  return { ...server, requests: () => requests };
}

const fine = (socket: net.Socket) => void socket.write(FINE);
const hangUp = (socket: net.Socket) => void socket.destroy();

describe('a connection is kept', () => {
  it('for the next callback to the same host, which is not looked up again', async () => {
    const server = await receiver('127.0.0.2');
    const dns = names({ 'hooks.example': ['127.0.0.2'] });
    const { post } = client(server.port, { resolve: dns.resolve });
    for (const path of ['a', 'b', 'c']) {
      const answer = await post(`http://hooks.example:${server.port}/${path}`, CALL);
      expect(answer).toEqual({ status: 200, excerpt: 'ok', peerAddress: '127.0.0.2' });
    }
    expect([server.connects(), dns.asked]).toEqual([1, ['hooks.example']]);
  });

  it('for no other name of the same address, nor another port', async () => {
    const [one, two] = [await receiver('127.0.0.2'), await receiver('127.0.0.2')];
    const dns = names({ 'a.example': ['127.0.0.2'], 'b.example': ['127.0.0.2'] });
    const { post } = client(one.port, { resolve: dns.resolve, allowPorts: [one.port, two.port] });
    const places = [`a.example:${one.port}`, `b.example:${one.port}`, `127.0.0.2:${one.port}`, `a.example:${two.port}`];
    for (const place of [...places, ...places]) await post(`http://${place}/`, CALL);
    expect([one.connects(), two.connects()]).toEqual([3, 1]);
    expect([...one.hosts.slice(0, 3), ...two.hosts.slice(0, 1)]).toEqual(places);
  });

  it('for so many requests, for so long, and for so long idle', async () => {
    const server = await receiver('127.0.0.2');
    const url = `http://127.0.0.2:${server.port}/`;
    const limited = client(server.port, { kept: { maxRequests: 2 } });
    for (const _ of [1, 2, 3, 4]) await limited.post(url, CALL);
    expect(server.connects()).toBe(2);

    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const { post } = client(server.port, { kept: { idleMs: 2_000, maxAgeMs: 3_000 } });
    const connectsAt = async (ms: number) => {
      clock.mockReturnValue(ms);
      await post(url, CALL);
      return server.connects() - 2;
    };
    expect([await connectsAt(0), await connectsAt(1_999), await connectsAt(2_999), await connectsAt(3_000)]).toEqual([
      1, 1, 1, 2,
    ]);
    expect([await connectsAt(4_999), await connectsAt(7_000)]).toEqual([2, 3]);
  });

  it('by so many of one host, and in total', async () => {
    const server = await receiver('127.0.0.2');
    const dns = names({ 'a.example': ['127.0.0.2'], 'b.example': ['127.0.0.2'] });
    const { post } = client(server.port, { resolve: dns.resolve, kept: { maxIdlePerOrigin: 2, maxIdle: 3 } });
    const at = (host: string) => post(`http://${host}:${server.port}/`, CALL);
    const round = () =>
      Promise.all([at('a.example'), at('a.example'), at('a.example'), at('b.example'), at('b.example')]);
    await round();
    expect(server.connects()).toBe(5);
    await round();
    expect(server.connects()).toBe(7);
  });

  it.each([
    ['says that it closes', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok'],
    ['speaks HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok'],
    ['says more than is read', `HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n${'x'.repeat(5_000)}`],
    ['says something nobody asked for', `${FINE}${FINE}`],
  ])('not where the receiver %s', async (_case, answer) => {
    const server = await scripted((socket) => void socket.write(answer));
    const { post } = client(server.port);
    for (const _ of [1, 2]) expect(await post(`http://127.0.0.2:${server.port}/`, CALL)).toMatchObject({ status: 200 });
    expect([server.connects(), server.requests()]).toEqual([2, 2]);
  });
});

describe('a name that leads elsewhere', () => {
  it('by now, never leads to the inside of the network: not by a kept connection, nor by the next', async () => {
    const inside = await receiver('127.0.0.1');
    const server = await receiver('127.0.0.2', inside.port);
    const dns = names({ 'rebind.example': ['127.0.0.2'] });
    const { post } = client(server.port, { resolve: dns.resolve, kept: { maxRequests: 3 } });
    const url = `http://rebind.example:${server.port}/`;
    await post(url, CALL);
    dns.table['rebind.example'] = ['127.0.0.1'];
    for (const _ of [2, 3]) expect(await post(url, CALL)).toMatchObject({ peerAddress: '127.0.0.2' });
    for (const _ of [4, 5]) await expect(post(url, CALL)).rejects.toMatchObject({ reason: 'blocked_address' });
    expect([inside.connects(), server.connects()]).toEqual([0, 1]);
  });

  it.each([
    ['another address', ['127.0.0.3'], 'http'],
    ['no public address', ['127.0.0.1'], 'blocked_address'],
    ['no address', [], 'network'],
  ])('ends what is kept as soon as a look-up finds %s', async (_case, addresses, outcome) => {
    const old = await receiver('127.0.0.2');
    const next = await receiver('127.0.0.3', old.port);
    const inside = await receiver('127.0.0.1', old.port);
    const dns = names({ 'moves.example': ['127.0.0.2'] });
    const { post } = client(old.port, { resolve: dns.resolve });
    const at = () =>
      post(`http://moves.example:${old.port}/`, CALL).then(
        () => 'http',
        ({ reason }) => reason,
      );
    await Promise.all([at(), at()]);
    dns.table['moves.example'] = addresses;
    // One more than is kept, so that one is looked up.
    expect(await Promise.all([at(), at(), at()])).toEqual(['http', 'http', outcome]);
    const before = old.hosts.length;
    expect(await at()).toBe(outcome);
    expect([old.hosts.length - before, inside.connects()]).toEqual([0, 0]);
    expect(next.connects() > 0).toBe(outcome === 'http');
  });

  it('is judged by its URL for every callback, whatever is kept', async () => {
    const server = await receiver('127.0.0.2');
    const kept = client(server.port, { allowOrigins: [] });
    await kept.post(`http://127.0.0.2:${server.port}/`, CALL);
    const refused = kept.post(`http://user:pass@127.0.0.2:${server.port}/`, CALL);
    await expect(refused).rejects.toMatchObject({ reason: 'bad_url' });
  });
});

describe('a request that fails on a kept connection', () => {
  const url = (server: Listener) => `http://127.0.0.2:${server.port}/`;

  it('before a byte came back is sent once more, on a new one', async () => {
    const server = await scripted(fine, hangUp, fine);
    const { post } = client(server.port);
    for (const _ of [1, 2]) expect(await post(url(server), CALL)).toMatchObject({ status: 200, excerpt: 'ok' });
    expect([server.connects(), server.requests()]).toEqual([2, 3]);
  });

  it('is sent no third time', async () => {
    const server = await scripted(fine, hangUp, hangUp, fine);
    const { post } = client(server.port);
    await post(url(server), CALL);
    await expect(post(url(server), CALL)).rejects.toMatchObject({ reason: 'network' });
    expect(server.requests()).toBe(3);
  });

  it('after a byte came back is not sent again', async () => {
    const server = await scripted(fine, (socket) => socket.end('HTTP/1.1 2'), fine);
    const { post } = client(server.port);
    await post(url(server), CALL);
    await expect(post(url(server), CALL)).rejects.toMatchObject({ reason: 'network' });
    expect(server.requests()).toBe(2);
  });

  it('by its time limit is not sent again, and its connection is not kept', async () => {
    let hang = () => {};
    const hung = new Promise<void>((resolve) => {
      hang = resolve;
    });
    const server = await scripted(fine, () => hang(), fine);
    const { post } = client(server.port);
    await post(url(server), CALL);
    const posting = post(url(server), { ...CALL, timeoutMs: HELD_LIMIT_MS });
    await hung;
    limits.pass();
    await expect(posting).rejects.toMatchObject({ reason: 'timeout' });
    expect(server.requests()).toBe(2);
    await post(url(server), CALL);
    expect(server.connects()).toBe(2);
  });

  it('on a new connection is not sent again', async () => {
    const server = await scripted(hangUp, fine);
    await expect(client(server.port).post(url(server), CALL)).rejects.toMatchObject({ reason: 'network' });
    expect(server.requests()).toBe(1);
  });
});
