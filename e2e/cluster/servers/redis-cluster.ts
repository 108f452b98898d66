import { join } from 'node:path';
import { until } from '@mediagate/testkit';
import { ensureRedis, freePort, type Redis as RedisServer, startRedis } from '@mediagate/testkit/servers';
import { Redis } from 'ioredis';
import { type Loss, type Lost, loseServer, untilReplicated } from './lose-server';
import { type Certificates, tlsSettings } from './redis-tls';

/** How long a primary is silent before its replica takes its place. */
const NODE_TIMEOUT_MS = 2000;
const PRIMARIES = 3;
const SLOTS = 16_384;
const HOST = '127.0.0.1';
const [USER, PASSWORD] = ['mediagate', 'for-tests'];
const RIGHTS = ['~*', '&*', '+@all', '-@admin', '-@dangerous', '+info', '+client'];

export interface RedisCluster {
  url: string;
  /** Ports of all servers, on which a test asks them itself. */
  ports: number[];
  /** The primary that has a key. Resolves once its replica has taken its place, with what that took. */
  losePrimaryOf(key: string, how: Loss): Promise<Lost>;
  stop(): Promise<void>;
}

interface Node {
  server: RedisServer;
  port: number;
  /** Where clients and other servers go. */
  publicPort: number;
  busPort: number;
  ask: Redis;
}

/** Three primaries, each with a replica. The login of the URL has the rights that docs/deployment.md names, and no others. */
export async function startRedisCluster(
  directory: string,
  { certificates }: { certificates?: Certificates } = {},
): Promise<RedisCluster> {
  const folders = Array.from({ length: 2 * PRIMARIES }, (_, index) => join(directory, String(index)));
  const nodes = await Promise.all(folders.map((folder) => startNode(folder, certificates)));
  const primaries = nodes.slice(0, PRIMARIES);
  await formCluster(primaries, nodes.slice(PRIMARIES));
  for (const { ask } of nodes) await ask.call('ACL', 'SETUSER', USER, 'on', `>${PASSWORD}`, ...RIGHTS);
  const alive = new Set(nodes);
  const [first, ...others] = nodes.map(({ publicPort }) => `${HOST}:${publicPort}`);
  return {
    url: `redis${certificates ? 's' : ''}+cluster://${USER}:${PASSWORD}@${first}?${others.map((place) => `node=${place}`).join('&')}`,
    ports: nodes.map(({ port }) => port),
    async losePrimaryOf(key, how) {
      const primary = await holderOf(key, alive);
      if (primary === undefined) throw new Error(`no primary has ${key}`);
      await untilReplicated(primary.ask, key);
      alive.delete(primary);
      return loseServer(primary.server.pid, {
        how,
        untilReplaced: async () => void (await until(() => holderOf(key, alive))),
        untilBack: async () => {
          await until(() => isReady(primary));
          alive.add(primary);
        },
      });
    },
    async stop() {
      for (const { ask } of nodes) ask.disconnect();
      await Promise.all(nodes.map(({ server }) => server.stop()));
    },
  };
}

async function startNode(directory: string, certificates: Certificates | undefined): Promise<Node> {
  const [port, busPort, tlsPort] = [await freePort(), await freePort(), await freePort()];
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-port': String(busPort),
    'cluster-node-timeout': String(NODE_TIMEOUT_MS),
    'cluster-announce-ip': HOST,
    ...(certificates && { ...tlsSettings(certificates, tlsPort), 'tls-cluster': 'yes' }),
  };
  const program = await ensureRedis((line) => void process.stderr.write(`${line}\n`));
  const server = await startRedis({ program, directory, port, durable: false, settings });
  const ask = new Redis(port, HOST);
  ask.on('error', () => undefined);
  return { server, port, publicPort: certificates ? tlsPort : port, busPort, ask };
}

async function formCluster(primaries: readonly Node[], replicas: readonly Node[]): Promise<void> {
  for (const [index, { ask }] of primaries.entries()) {
    const bounds = [index, index + 1].map((third) => Math.floor((third * SLOTS) / PRIMARIES));
    await ask.call('CLUSTER', 'ADDSLOTSRANGE', bounds[0] ?? 0, (bounds[1] ?? 0) - 1);
    await ask.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
  }
  const nodes = [...primaries, ...replicas];
  for (const { publicPort, busPort } of nodes.slice(1)) {
    await nodes[0]?.ask.call('CLUSTER', 'MEET', HOST, publicPort, busPort);
  }
  const knows = async ({ ask }: Node) =>
    String(await ask.call('CLUSTER', 'INFO')).includes(`known_nodes:${nodes.length}`);
  await until(async () => (await Promise.all(nodes.map(knows))).every(Boolean));
  for (const [index, { ask }] of replicas.entries()) {
    await ask.call('CLUSTER', 'REPLICATE', String(await primaries[index]?.ask.call('CLUSTER', 'MYID')));
  }
  await until(async () => (await Promise.all(nodes.map(isReady))).every(Boolean));
}

/** It serves, and has a replica or is one. */
async function isReady({ ask }: Node): Promise<boolean> {
  return (
    String(await ask.call('CLUSTER', 'INFO')).includes('cluster_state:ok') &&
    /master_link_status:up|connected_slaves:1/.test(await ask.info('replication'))
  );
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
