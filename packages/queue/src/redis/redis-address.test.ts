import { isRedisCluster, parseRedisAddress } from './redis-address';

it.each(['redis://user:secret@127.0.0.1:6380/2', 'rediss://redis.example.com', 'redis://[::1]:6379'])(
  'takes %s for one server, in the words of ioredis',
  (url) => expect(parseRedisAddress(url)).toEqual({ kind: 'server', url }),
);

it('takes every node of a cluster, one login and TLS for all', () => {
  const url = 'rediss+cluster://mediagate:a%2Fb@redis-1.example.com?node=10.0.0.2:7001&node=[fd00::1]:7002';
  expect(parseRedisAddress(url)).toEqual({
    kind: 'cluster',
    places: [
      { host: 'redis-1.example.com', port: 6379 },
      { host: '10.0.0.2', port: 7001 },
      { host: 'fd00::1', port: 7002 },
    ],
    login: { username: 'mediagate', password: 'a/b' },
    tls: true,
  });
  expect(isRedisCluster(url)).toBe(true);
});

it('takes Sentinels with the name of their primary, its database, and a login of their own', () => {
  const url = 'redis+sentinel://:p@10.0.0.5/main/3?node=10.0.0.6:26380&sentinel_user=watch&sentinel_password=w';
  expect(parseRedisAddress(url)).toEqual({
    kind: 'sentinel',
    places: [
      { host: '10.0.0.5', port: 26_379 },
      { host: '10.0.0.6', port: 26_380 },
    ],
    login: { password: 'p' },
    sentinelLogin: { username: 'watch', password: 'w' },
    tls: false,
    primary: 'main',
    db: 3,
  });
  expect(isRedisCluster(url)).toBe(false);
});

it.each([
  ['redis+sentinel://:secret@10.0.0.5', 'behind the first slash'],
  ['redis+sentinel://:secret@10.0.0.5/main/first', 'number of a database'],
  ['redis+cluster://:secret@10.0.0.5?node=', 'no host with a port'],
])('refuses %s without showing its password', (url, reason) => {
  expect(() => parseRedisAddress(url)).toThrow(reason);
  expect(() => parseRedisAddress(url)).not.toThrow('secret');
});
