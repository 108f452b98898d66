import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcess, ensureRedis, freePort, startRedis } from '@mediagate/local-servers';
import { Redis } from 'ioredis';
import { until } from '../../system/until';

/** How long a primary is silent before the Sentinels agree that it is gone. */
const DOWN_AFTER_MS = 1500;
const SENTINELS = 3;
const QUORUM = 2;
const NAME = 'mediagate';
const HOST = '127.0.0.1';

export interface RedisSentinels {
  url: string;
  /** SIGKILL to the primary. Resolves once the Sentinels name the other server, with what that took. */
  killPrimary(): Promise<number>;
  stop(): Promise<void>;
}

/** A primary, its replica, and three Sentinels that watch them. */
export async function startRedisSentinels(directory: string): Promise<RedisSentinels> {
  const program = await ensureRedis((line) => void process.stderr.write(`${line}\n`));
  const start = async (name: string, settings: Record<string, string> = {}) => {
    const port = await freePort();
    return {
      port,
      server: await startRedis({ program, directory: join(directory, name), port, durable: false, settings }),
    };
  };
  const first = await start('first');
  const second = await start('second', { replicaof: `${HOST} ${first.port}` });
  await untilConnected(first.port);
  const sentinels = await Promise.all(
    Array.from({ length: SENTINELS }, (_, index) =>
      startSentinel({
        program: program.path,
        directory: join(directory, `sentinel-${index}`),
        primaryPort: first.port,
      }),
    ),
  );
  const [place, ...others] = sentinels.map(({ port }) => `${HOST}:${port}`);
  await untilAgreed(sentinels.map(({ port }) => port));
  return {
    url: `redis+sentinel://${place}/${NAME}?${others.map((each) => `node=${each}`).join('&')}`,
    async killPrimary() {
      const killedAt = performance.now();
      process.kill(first.server.pid, 'SIGKILL');
      await untilNamed(sentinels[0]?.port ?? 0, second.port);
      return Math.round(performance.now() - killedAt);
    },
    async stop() {
      await Promise.all(sentinels.map(({ child }) => endProcess(child.pid as number)));
      await Promise.all([first, second].map(({ server }) => server.stop()));
    },
  };
}

interface Sentinel {
  port: number;
  child: ChildProcess;
}

interface SentinelOptions {
  program: string;
  directory: string;
  primaryPort: number;
}

/** It writes what it learns into its own configuration. */
async function startSentinel({ program, directory, primaryPort }: SentinelOptions): Promise<Sentinel> {
  const port = await freePort();
  await mkdir(directory, { recursive: true });
  const file = join(directory, 'sentinel.conf');
  await writeFile(
    file,
    `port ${port}
bind ${HOST}
dir ${directory}
sentinel monitor ${NAME} ${HOST} ${primaryPort} ${QUORUM}
sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}
sentinel failover-timeout ${NAME} 2000
`,
  );
  return { port, child: spawn(program, [file, '--sentinel'], { stdio: 'ignore' }) };
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

async function untilNamed(sentinelPort: number, port: number): Promise<void> {
  await asking(sentinelPort, (redis) =>
    until(async () => {
      const [, named] = (await redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME)) as string[];
      return named === String(port);
    }),
  );
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
