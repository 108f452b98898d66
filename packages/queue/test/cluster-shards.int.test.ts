import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uniquePrefix, until } from '@mediagate/testkit';
import { ensureRedis, freePort, type Redis as RedisServer, startRedis } from '@mediagate/testkit/servers';
import { Redis } from 'ioredis';
import { openQueues, QUEUE_NAMES, type Queues } from '../src';

const AWAY = 'deliveries';

const prefix = uniquePrefix();
let directory: string;
let server: RedisServer;
let admin: Redis;
let queues: Queues;

const serve = async (queue: string) => {
  const slot = Number(await admin.call('CLUSTER', 'KEYSLOT', `{${prefix}:${queue}}`));
  await admin.call('CLUSTER', 'ADDSLOTS', slot);
};

/** A cluster to which one queue's server is missing. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mediagate-shards-'));
  const [port, busPort] = [await freePort(), await freePort()];
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-port': String(busPort),
    'cluster-announce-ip': '127.0.0.1',
    'cluster-require-full-coverage': 'no',
  };
  server = await startRedis({ program: await ensureRedis(() => undefined), directory, port, durable: false, settings });
  admin = new Redis(server.url);
  for (const name of QUEUE_NAMES) if (name !== AWAY) await serve(name);
  await until(
    async () => String(await admin.call('CLUSTER', 'INFO')).includes('cluster_state:ok'),
    'the cluster serves',
  );
  queues = openQueues({ redisUrl: `redis+cluster://127.0.0.1:${port}`, prefix });
});
afterAll(async () => {
  await queues.close();
  admin.disconnect();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

it('a server that is away makes those alone unready whose queue it has', async () => {
  await expect(queues.ping('video')).resolves.toBeUndefined();
  await expect(queues.ping(AWAY)).rejects.toThrow();
});

it('a loss counts while another server does not answer, and the loss of that one later', async () => {
  expect(await queues.jobsWereLost()).toBe(true);
  await expect(queues.jobsWereLost()).rejects.toThrow();
  await serve(AWAY);
  expect([await queues.jobsWereLost(), await queues.jobsWereLost()]).toEqual([true, false]);
});
