import type { RedisServer } from '@mediagate/redis';
import { warnOfRedis } from './warn-of-redis';

const PRIMARY: RedisServer = { role: 'master', evictionPolicy: 'noeviction' };

async function warnings(servers: () => Promise<RedisServer[]>): Promise<[event: string, detail: string | undefined][]> {
  const seen: [string, string | undefined][] = [];
  await warnOfRedis({ queues: { servers }, logger: { warn: (event, { detail }) => void seen.push([event, detail]) } });
  return seen;
}

it.each<[string, RedisServer[]]>([
  ['keep what they have', [PRIMARY, PRIMARY]],
  ['do not say what they do', [{ role: undefined, evictionPolicy: undefined }]],
])('says nothing of servers that %s', async (_, servers) => {
  expect(await warnings(async () => servers)).toEqual([]);
});

it('names the policy of a server that removes keys, also where it is one of several', async () => {
  const [warning, ...others] = await warnings(async () => [PRIMARY, { ...PRIMARY, evictionPolicy: 'allkeys-lru' }]);
  expect([warning?.[0], others]).toEqual(['redis.evicts', []]);
  expect(warning?.[1]).toContain('maxmemory-policy is allkeys-lru');
});

it('says that a replica takes no jobs', async () => {
  expect(await warnings(async () => [{ ...PRIMARY, role: 'slave' }])).toEqual([
    ['redis.is_replica', expect.stringContaining('name the primary')],
  ]);
});

it('says that it could not look where Redis is away, and goes on', async () => {
  expect(await warnings(() => Promise.reject(new Error('away')))).toEqual([['redis.not_checked', undefined]]);
});
