import { join } from 'node:path';
import { ensureRedis, freePort, type Redis as RedisServer, startRedis } from '@mediagate/local-servers';
import { Redis } from 'ioredis';
import { until } from '../../system/until';

/** How long a primary is silent before its replica takes its place. */
const NODE_TIMEOUT_MS = 2000;
const PRIMARIES = 3;
const SLOTS = 16_384;
const HOST = '127.0.0.1';
const [USER, PASSWORD] = ['mediagate', 'for-tests'];
const RIGHTS = ['~*', '&*', '+@all', '-@admin', '-@dangerous', '+info', '+client'];

export interface RedisCluster {
  url: string;
  /** SIGKILL to the primary that has a key. Resolves once its replica has taken its place, with what that took. */
  killPrimaryOf(key: string): Promise<number>;
  stop(): Promise<void>;
}

interface Node {
  server: RedisServer;
  port: number;
  busPort: number;
  ask: Redis;
}

/** Three primaries, each with a replica. The login of the URL has the rights that docs/deployment.md names, and no others. */
export async function startRedisCluster(directory: string): Promise<RedisCluster> {
  const folders = Array.from({ length: 2 * PRIMARIES }, (_, index) => join(directory, String(index)));
  const nodes = await Promise.all(folders.map(startNode));
  const primaries = nodes.slice(0, PRIMARIES);
  await formCluster(primaries, nodes.slice(PRIMARIES));
  for (const { ask } of nodes) await ask.call('ACL', 'SETUSER', USER, 'on', `>${PASSWORD}`, ...RIGHTS);
  const alive = new Set(nodes);
  const [first, ...others] = nodes.map(({ port }) => `${HOST}:${port}`);
  return {
    url: `redis+cluster://${USER}:${PASSWORD}@${first}?${others.map((place) => `node=${place}`).join('&')}`,
    async killPrimaryOf(key) {
      const primary = await holderOf(key, alive);
      if (primary === undefined) throw new Error(`no primary has ${key}`);
      alive.delete(primary);
      const killedAt = performance.now();
      process.kill(primary.server.pid, 'SIGKILL');
      await until(async () => (await holderOf(key, alive)) !== undefined);
      return Math.round(performance.now() - killedAt);
    },
    async stop() {
      for (const { ask } of nodes) ask.disconnect();
      await Promise.all(nodes.map(({ server }) => server.stop()));
    },
  };
}

async function startNode(directory: string): Promise<Node> {
  const [port, busPort] = [await freePort(), await freePort()];
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-port': String(busPort),
    'cluster-node-timeout': String(NODE_TIMEOUT_MS),
    'cluster-announce-ip': HOST,
  };
  const program = await ensureRedis((line) => void process.stderr.write(`${line}\n`));
  const server = await startRedis({ program, directory, port, durable: false, settings });
  const ask = new Redis(port, HOST);
  ask.on('error', () => undefined);
  return { server, port, busPort, ask };
}

async function formCluster(primaries: readonly Node[], replicas: readonly Node[]): Promise<void> {
  for (const [index, { ask }] of primaries.entries()) {
    const bounds = [index, index + 1].map((third) => Math.floor((third * SLOTS) / PRIMARIES));
    await ask.call('CLUSTER', 'ADDSLOTSRANGE', bounds[0] ?? 0, (bounds[1] ?? 0) - 1);
    await ask.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
  }
  const nodes = [...primaries, ...replicas];
  for (const { port, busPort } of nodes.slice(1)) {
    await nodes[0]?.ask.call('CLUSTER', 'MEET', HOST, port, busPort);
  }
  const knows = async ({ ask }: Node) =>
    String(await ask.call('CLUSTER', 'INFO')).includes(`known_nodes:${nodes.length}`);
  await until(async () => (await Promise.all(nodes.map(knows))).every(Boolean));
  for (const [index, { ask }] of replicas.entries()) {
    await ask.call('CLUSTER', 'REPLICATE', String(await primaries[index]?.ask.call('CLUSTER', 'MYID')));
  }
  const isReady = async ({ ask }: Node) =>
    String(await ask.call('CLUSTER', 'INFO')).includes('cluster_state:ok') &&
    /master_link_status:up|connected_slaves:1/.test(await ask.info('replication'));
  await until(async () => (await Promise.all(nodes.map(isReady))).every(Boolean));
}

/** The one that takes writes to a key; every other answers MOVED, and all CLUSTERDOWN while there is none. */
async function holderOf(key: string, nodes: Iterable<Node>): Promise<Node | undefined> {
  for (const node of nodes) {
    const isThere = await node.ask.set(key, '1', 'PX', 1, 'XX').then(
      () => true,
      () => false,
    );
    if (isThere) return node;
  }
  return undefined;
}
