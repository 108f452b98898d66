import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@mediagate/testkit';
import { endProcess, ensureRedis, freePort, type Redis as RedisServer, startRedis } from '@mediagate/testkit/servers';
import { Redis } from 'ioredis';
import { type Loss, type Lost, loseServer, untilReplicated } from './lose-server';
import { type Certificates, tlsSettings } from './redis-tls';

/** How long a primary is silent before the Sentinels agree that it is gone. */
const DOWN_AFTER_MS = 1500;
const SENTINELS = 3;
const QUORUM = 2;
const NAME = 'mediagate';
const HOST = '127.0.0.1';

export interface RedisSentinels {
  url: string;
  /** Ports of the two servers, on which a test asks them itself. */
  ports: number[];
  /** Resolves once the Sentinels name the other server, with what that took. */
  losePrimary(how: Loss): Promise<Lost>;
  stop(): Promise<void>;
}

export interface RedisSentinelsOptions {
  /** With them clients, servers and Sentinels speak TLS to each other. */
  certificates?: Certificates;
}

interface Server {
  port: number;
  /** Where clients, the replica and the Sentinels go. */
  publicPort: number;
  process: RedisServer;
}

/** A primary, its replica, and three Sentinels that watch them. */
export async function startRedisSentinels(
  directory: string,
  { certificates }: RedisSentinelsOptions = {},
): Promise<RedisSentinels> {
  const first = await startServer(join(directory, 'first'), { certificates });
  const second = await startServer(join(directory, 'second'), { certificates, primaryPort: first.publicPort });
  await untilConnected(first.port);
  const sentinels = await Promise.all(
    Array.from({ length: SENTINELS }, (_, index) =>
      startSentinel(join(directory, `sentinel-${index}`), { certificates, primaryPort: first.publicPort }),
    ),
  );
  const ports = sentinels.map(({ port }) => port);
  const [place, ...others] = sentinels.map(({ publicPort }) => `${HOST}:${publicPort}`);
  const servers = [first, second];
  await untilAgreed(ports);
  return {
    url: `redis${certificates ? 's' : ''}+sentinel://${place}/${NAME}?${others.map((each) => `node=${each}`).join('&')}`,
    ports: servers.map(({ port }) => port),
    async losePrimary(how) {
      const named = await primaryPort(ports[0] ?? 0);
      const [primary, other] = servers.toSorted((a) => (a.publicPort === named ? -1 : 1));
      if (primary === undefined || other === undefined) throw new Error('no server is there');
      await asking(primary.port, (redis) => untilReplicated(redis, 'replicated'));
      return loseServer(primary.process.pid, {
        how,
        untilReplaced: async () =>
          void (await until(async () => (await primaryPort(ports[0] ?? 0)) === other.publicPort)),
        untilBack: async () => {
          await untilConnected(other.port);
          await untilAgreed(ports);
        },
      });
    },
    async stop() {
      await Promise.all(sentinels.map(({ child }) => endProcess(child.pid as number)));
      await Promise.all(servers.map(({ process }) => process.stop()));
    },
  };
}

interface ServerOptions {
  certificates?: Certificates | undefined;
  /** Port of the server that it copies. */
  primaryPort?: number;
}

async function startServer(directory: string, { certificates, primaryPort }: ServerOptions): Promise<Server> {
  const [port, tlsPort] = [await freePort(), await freePort()];
  const settings = {
    ...(certificates && tlsSettings(certificates, tlsPort)),
    ...(primaryPort !== undefined && { replicaof: `${HOST} ${primaryPort}` }),
  };
  const program = await ensureRedis((line) => void process.stderr.write(`${line}\n`));
  const server = await startRedis({ program, directory, port, durable: false, settings });
  return { port, publicPort: certificates ? tlsPort : port, process: server };
}

interface Sentinel {
  port: number;
  publicPort: number;
  child: ChildProcess;
}

/** It writes what it learns into its own configuration. */
async function startSentinel(
  directory: string,
  { certificates, primaryPort }: ServerOptions & { primaryPort: number },
): Promise<Sentinel> {
  const [port, tlsPort] = [await freePort(), await freePort()];
  const { path } = await ensureRedis((line) => void process.stderr.write(`${line}\n`));
  await mkdir(directory, { recursive: true });
  const file = join(directory, 'sentinel.conf');
  const tls = Object.entries(certificates ? tlsSettings(certificates, tlsPort) : {});
  await writeFile(
    file,
    `port ${port}
bind ${HOST}
dir ${directory}
${tls.map((setting) => `${setting.join(' ')}\n`).join('')}sentinel monitor ${NAME} ${HOST} ${primaryPort} ${QUORUM}
sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}
sentinel failover-timeout ${NAME} 2000
`,
  );
  const child = spawn(path, [file, '--sentinel'], { stdio: 'ignore' });
  return { port, publicPort: certificates ? tlsPort : port, child };
}

async function untilConnected(port: number): Promise<void> {
  await asking(port, (redis) => until(async () => (await redis.info('replication')).includes('state=online')));
}

/** Each knows the two others and the replica: from then on they replace a primary. */
async function untilAgreed(ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    await asking(port, (redis) =>
      until(async () => {
        const fields = (await redis.call('SENTINEL', 'MASTER', NAME)) as string[];
        const of = (name: string) => fields[fields.indexOf(name) + 1];
        return of('num-slaves') === '1' && of('num-other-sentinels') === String(SENTINELS - 1);
      }),
    );
  }
}

function primaryPort(sentinelPort: number): Promise<number> {
  return asking(sentinelPort, async (redis) => {
    const [, named] = (await redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME)) as string[];
    return Number(named);
  });
}

async function asking<T>(port: number, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(port, HOST);
  redis.on('error', () => undefined);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
