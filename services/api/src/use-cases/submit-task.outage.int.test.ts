import { connect, createServer, type Server, type Socket } from 'node:net';
import { testRedisUrl } from '@mediagate/testkit';
import { SMALL_IMAGE, startTestApi, type TestApi } from '../../test/test-api';

interface FaultyServer {
  port: number;
  stop(): Promise<void>;
}

/** Nobody listens at a port that the system gives to nobody, however long the test takes. */
const NO_REDIS = 'redis://127.0.0.1:1';

/** Takes every connection and never says a word. */
const startSilence = () => startServer(() => undefined);
/** Takes every connection and hangs up. */
const startHangUp = () => startServer((socket) => socket.destroy());

async function startServer(treat: (socket: Socket) => void): Promise<FaultyServer> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    treat(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Stands between the application and the real Redis until it is frozen; then nothing passes and nothing breaks. */
async function startFreezingProxy(targetUrl: string): Promise<FaultyServer & { freeze(): void }> {
  const { hostname, port } = new URL(targetUrl);
  const pairs: Socket[] = [];
  const proxy = await startServer((client) => {
    const upstream = connect(Number(port), hostname);
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    client.pipe(upstream).pipe(client);
    pairs.push(client, upstream);
  });
  const freeze = () => {
    for (const socket of pairs) socket.unpipe().pause();
  };
  return { ...proxy, freeze };
}

/** A wait for Redis of so long does not end within a test. */
const ENDLESS_MS = 3_600_000;
/** One wait of so long ends within a test, and forty do not. */
const ONE_WAIT_MS = 5000;

async function repeat<T>(times: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let round = 0; round < times; round += 1) results.push(await work());
  return results;
}

describe('submissions without Redis', () => {
  let api: TestApi;
  let stop: () => Promise<void> = async () => undefined;

  afterEach(async () => {
    await api.stop();
    await stop();
  });

  it('are accepted and written when it is down, and rates are still limited', async () => {
    api = await startTestApi({
      redisUrl: NO_REDIS,
      times: { rateLimitMs: ENDLESS_MS },
    });
    const { key } = await api.createCaller({ submitPerMinute: 20 });
    const submissions = Array.from({ length: 25 }, () => api.post('/v1/images/generations', SMALL_IMAGE, { key }));
    const answers = await Promise.all(submissions);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(20);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(5);
    expect((await api.countRows())['tasks']).toBe(20);
  });

  it('are accepted while it freezes, for one short wait, and it is then left alone', async () => {
    const proxy = await startFreezingProxy(testRedisUrl());
    stop = proxy.stop;
    api = await startTestApi({ redisUrl: `redis://127.0.0.1:${proxy.port}`, times: { rateLimitMs: ONE_WAIT_MS } });
    const { key } = await api.createCaller();
    const submit = () => api.post('/v1/images/generations', SMALL_IMAGE, { key });
    expect((await submit()).status).toBe(200);
    proxy.freeze();
    expect((await submit()).status).toBe(200);
    const later = await repeat(40, submit);
    expect(later.map((answer) => answer.status)).toEqual(Array.from({ length: 40 }, () => 200));
  });

  it('are accepted when it never answered at all', async () => {
    const silence = await startSilence();
    stop = silence.stop;
    api = await startTestApi({ redisUrl: `redis://127.0.0.1:${silence.port}`, times: { rateLimitMs: ENDLESS_MS } });
    const { key } = await api.createCaller();
    expect((await api.post('/v1/images/generations', SMALL_IMAGE, { key })).status).toBe(200);
  });
});

describe('requests without a database', () => {
  it.each([
    ['hangs up', startHangUp],
    ['does not answer', startSilence],
  ])('are answered 503 when it %s', async (_how, start) => {
    const { port, stop } = await start();
    const api = await startTestApi({ databaseUrl: `postgresql://nobody@127.0.0.1:${port}/none` });
    try {
      const { key } = await api.createCaller();
      const answer = await api.post('/v1/images/generations', SMALL_IMAGE, { key });
      expect(answer.status).toBe(503);
      expect(answer.body).toEqual({
        error: {
          code: 503,
          message: expect.any(String),
          type: 'server_error',
          reason: 'service_unavailable',
          request_id: expect.any(String),
        },
      });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.body.error.message).not.toMatch(/postgres|ECONN|127\.0\.0\.1/i);
      expect((await api.get('/v1/nothing')).status).toBe(404);
    } finally {
      await stop();
      await api.stop();
    }
  });
});
