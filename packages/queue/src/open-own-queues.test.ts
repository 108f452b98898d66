import { type RedisCheck, warnOfRedis } from './open-own-queues';
import type { RedisServer } from './redis/servers';

type Server = Pick<RedisServer, 'role' | 'evictionPolicy'>;
const PRIMARY: Server = { role: 'master', evictionPolicy: 'noeviction' };

async function warnings(
  servers: () => Promise<Server[]>,
  options: Partial<RedisCheck> = {},
): Promise<[event: string, detail: string][]> {
  const seen: [string, string][] = [];
  const logger: RedisCheck['logger'] = { warn: (event, { detail }) => void seen.push([event, detail]) };
  await warnOfRedis({ queues: { servers }, logger, withinMs: 5000, ...options });
  return seen;
}

it.each<[string, Server[]]>([
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

it('looks again until Redis answers, and says nothing of a server that was only slow to start', async () => {
  let looks = 0;
  const servers = async () => {
    looks += 1;
    if (looks < 3) throw new Error('away');
    return [PRIMARY];
  };
  expect([await warnings(servers), looks]).toEqual([[], 3]);
});

it('says in one line that Redis never answered, and goes on', async () => {
  const away = () => Promise.reject(new Error('away'));
  expect(await warnings(away, { withinMs: 20 })).toEqual([
    ['redis.not_checked', expect.stringContaining('has not answered')],
  ]);
});

it('says nothing of a Redis that its process does not wait for', async () => {
  const ending = new AbortController();
  const away = () => {
    ending.abort();
    return Promise.reject(new Error('away'));
  };
  expect(await warnings(away, { signal: ending.signal })).toEqual([]);
});
