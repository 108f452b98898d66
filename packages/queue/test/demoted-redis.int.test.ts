import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newTaskId, type TaskId } from '@mediagate/contracts';
import { uniquePrefix, until } from '@mediagate/testkit';
import { ensureRedis, freePort, type Redis as RedisServer, startRedis } from '@mediagate/testkit/servers';
import { Redis } from 'ioredis';
import { openQueues, type Queues } from '../src';

let directory: string;
let servers: [RedisServer, RedisServer];
/** The name that clients know: connections are led to the server at this port, those that stand stay where they are. */
let leadsTo: number;
let name: Server;
let queues: Queues;

const portOf = (server: RedisServer) => Number(new URL(server.url).port);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mediagate-demoted-'));
  const program = await ensureRedis(() => undefined);
  const start = async (folder: string) =>
    startRedis({ program, directory: join(directory, folder), port: await freePort(), durable: true });
  servers = [await start('first'), await start('second')];
  leadsTo = portOf(servers[0]);
  name = createServer((client) => {
    const server = connect(leadsTo, '127.0.0.1');
    client.pipe(server).pipe(client);
    for (const socket of [client, server])
      socket.on('error', () => [client, server].forEach((each) => void each.destroy()));
  }).listen(0, '127.0.0.1');
  await once(name, 'listening');
  const redisUrl = `redis://127.0.0.1:${(name.address() as AddressInfo).port}`;
  queues = openQueues({ redisUrl, prefix: uniquePrefix() });
});
afterAll(async () => {
  await queues.close();
  name.close();
  for (const server of servers) await server.stop();
  await rm(directory, { recursive: true, force: true });
});

it('a Redis that became a replica is left for the one that took its place, by who enqueues and by who works', async () => {
  const taken: TaskId[] = [];
  const consumer = queues.consumeTasks('video', async ({ taskId }) => void taken.push(taskId), { concurrency: 1 });
  const enqueue = async () => {
    const taskId = newTaskId();
    await queues.enqueueTask({ family: 'video', taskId, fence: 0 });
    return taskId;
  };
  const first = await enqueue();
  await until(() => taken.includes(first), 'the first job is taken');
  await expect(queues.ping('video')).resolves.toBeUndefined();

  const admin = new Redis(servers[0].url);
  leadsTo = portOf(servers[1]);
  await admin.replicaof('127.0.0.1', String(portOf(servers[1])));
  await admin.quit();
  const moved = await until(() => enqueue().catch(() => undefined), 'the new primary takes a job');
  await until(() => taken.includes(moved), 'a job of the new primary is taken');
  await expect(queues.ping('video')).resolves.toBeUndefined();
  await consumer.close();
});
