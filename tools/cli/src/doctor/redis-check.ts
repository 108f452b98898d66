import { once } from 'node:events';
import { judgeRedis, openRedis, type RedisClient, type RedisServer, readRedisServers } from '@mediagate/queue';
import type { Check, Finding } from './check';
import { clockFinding, measure } from './clock-finding';
import { bytesText, type Examined } from './examined';

/** Redis 6.2; docs/deployment.md names it, too. */
const OLDEST_SERVER = [6, 2] as const;
const FULL = 0.9;
/** Half of a round trip may be an error of the clock. */
const MAX_ROUND_TRIP_MS = 1000;

export function redisCheck({ session, withinMs }: Examined): Check {
  return {
    name: 'Redis',
    async look() {
      const redisUrl = session.deployment.redisUrl();
      if (redisUrl === undefined) return [{ state: 'unknown', found: 'REDIS_URL is not set' }];
      const limits = { commandTimeout: withinMs, connectTimeout: withinMs, maxRetriesPerRequest: 0 };
      const redis = openRedis(redisUrl, { ...limits, retryStrategy: () => null });
      redis.on('error', () => undefined);
      try {
        await once(redis, 'ready');
        const servers = await readRedisServers(redis);
        const clock = clockFinding(await measure(() => aheadOf(redis)));
        const found = [...judgeRedis(servers).map(toFinding), ...servers.flatMap(serverFindings)];
        return clock.state === 'ok' ? found : [...found, { ...clock, found: `its clock: ${clock.found}` }];
      } finally {
        redis.disconnect();
      }
    },
    unreachable: {
      action: 'Bring Redis back, or correct REDIS_URL; what was accepted is in the database and goes on.',
      runbook: 'redis-lost.md',
    },
  };
}

/** How far this machine's clock is ahead of the first server's, in seconds; undefined: the answer came too late to tell. */
async function aheadOf(redis: RedisClient): Promise<number | undefined> {
  const sentAt = Date.now();
  const [server] = await readRedisServers(redis);
  const answeredAt = Date.now();
  if (server?.timeUs === undefined || answeredAt - sentAt > MAX_ROUND_TRIP_MS) return undefined;
  return ((sentAt + answeredAt) / 2 - server.timeUs / 1000) / 1000;
}

function toFinding({ detail }: { detail: string }): Finding {
  return { state: 'fault', found: detail, runbook: 'redis-lost.md' };
}

function serverFindings(server: RedisServer): Finding[] {
  const { version = 'unknown', usedBytes, maxBytes, persistence } = server;
  const memory =
    maxBytes === 0
      ? `${bytesText(usedBytes)} used, no limit`
      : `${bytesText(usedBytes)} of ${bytesText(maxBytes)} used`;
  const found = `version ${version}; ${memory}; append-only file ${persistence === 'on' ? 'on' : 'off'}`;
  return [
    { state: 'ok', found },
    ...(isOld(version)
      ? [{ state: 'fault', found: `version ${version}`, action: 'Upgrade to 6.2 or newer.' } as const]
      : []),
    ...(maxBytes > 0 && usedBytes > maxBytes * FULL ? [FULL_MEMORY] : []),
    ...(persistence === 'broken' ? [NOT_WRITTEN] : []),
  ];
}

const FULL_MEMORY: Finding = {
  state: 'warning',
  found: 'its memory is nearly full: it will take no jobs, and tasks will wait for the reconciler',
  action: 'Raise maxmemory, and lower DISPATCH_WINDOW if the queues are long.',
  runbook: 'growing-queue.md',
};

const NOT_WRITTEN: Finding = {
  state: 'fault',
  found: 'its last write to its disk failed, so that it may refuse jobs',
  action: 'Free space on its disk, or restore access to it.',
  runbook: 'redis-lost.md',
};

function isOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor < OLDEST_SERVER[1]);
}
