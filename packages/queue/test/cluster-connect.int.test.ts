import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Cluster } from 'ioredis';
import { openRedis } from '../src/redis/open-redis';

/* A cluster of one server that closes a connection in place of the first answers: a frozen server's connections end so, by a time limit. */

let server: Server;
let port: number;
/** Questions about the cluster's state that are still to be left without an answer. */
let unanswered = 0;

beforeAll(async () => {
  server = createServer((socket) => socket.on('data', (bytes) => answerAll(socket, String(bytes))));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.close();
  await once(server, 'close');
});

function answerAll(socket: Socket, text: string): void {
  for (const request of text.split(/^\*\d+\r\n/m).slice(1)) {
    const words = request.split('\r\n').filter((line) => line !== '' && !line.startsWith('$'));
    const answer = answerTo(words.slice(0, 2).join(' ').toLowerCase());
    if (answer === undefined) socket.destroy();
    else socket.write(answer);
  }
}

function answerTo(question: string): string | undefined {
  if (question === 'cluster slots')
    return `*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n$9\r\n127.0.0.1\r\n:${port}\r\n$2\r\nid\r\n`;
  if (question === 'cluster info') return unanswered-- > 0 ? undefined : '$16\r\ncluster_state:ok\r\n';
  if (question.startsWith('hello')) return '-ERR unknown command HELLO\r\n';
  return question.startsWith('info') ? '$9\r\nloading:0\r\n' : '+OK\r\n';
}

it.each(['the client', 'a duplicate of it'])(
  'connect of %s ends although the first attempt came to nothing',
  async (which) => {
    const first = openRedis(`redis+cluster://127.0.0.1:${port}`, { retryStrategy: () => 1 });
    const redis = which === 'the client' ? first : (first as Cluster).duplicate();
    try {
      await once(redis, 'ready');
      redis.disconnect();
      await once(redis, 'end');
      unanswered = 1;
      await redis.connect();
      expect(redis.status).toBe('ready');
    } finally {
      for (const each of new Set([first, redis])) each.disconnect();
    }
  },
);

it('attempts that come to nothing leave one listener among them, and the one that succeeds takes it away', async () => {
  const redis = openRedis(`redis+cluster://127.0.0.1:${port}`, { retryStrategy: () => 1 });
  try {
    await once(redis, 'ready');
    redis.disconnect();
    await once(redis, 'end');
    const count = () => [redis.listenerCount('ready'), redis.listenerCount('end')];
    const [readyBefore = 0, endBefore = 0] = count();
    const meanwhile: number[][] = [];
    redis.on('reconnecting', () => void meanwhile.push(count()));
    unanswered = 20;
    await redis.connect();
    expect(meanwhile.length).toBeGreaterThanOrEqual(20);
    expect(meanwhile).toEqual(meanwhile.map(() => [readyBefore + 1, endBefore + 1]));
    expect(count()).toEqual([readyBefore, endBefore]);
  } finally {
    redis.disconnect();
  }
});
