import { testRedisUrl, uniquePrefix } from '@mediagate/testkit';
import { Redis } from 'ioredis';
import { type CountRequests, createOwnCounter, createSharedCounter, type Windows } from './count-requests';

const WINDOWS: Windows = { name: 'submit', limits: { second: 5, minute: 8 } };
const WITHOUT_SECOND: Windows = { name: 'submit', limits: { second: Number.POSITIVE_INFINITY, minute: 8 } };

let redis: Redis;
beforeAll(() => {
  redis = new Redis(testRedisUrl());
});
afterAll(() => redis.disconnect());

const counters: [string, (windows: Windows) => CountRequests][] = [
  ['in Redis', (windows) => createSharedCounter(redis, uniquePrefix(), windows)],
  ['in this process', createOwnCounter],
];

describe.each(counters)('counting requests %s', (_, create) => {
  /** Window and number of each. */
  const places = async (counting: ReturnType<CountRequests>) =>
    (await counting).map(({ window, number }) => `${window} ${number}`);

  it('gives each request of a group its own number within the minute', async () => {
    const count = create(WITHOUT_SECOND);
    expect(await places(count('a', 2))).toEqual(['minute 1', 'minute 2']);
    expect(await places(count('a', 1))).toEqual(['minute 3']);
  });

  it('does not count in the minute what is beyond the limit of the second', async () => {
    const count = create(WINDOWS);
    const first = ['minute 1', 'minute 2', 'minute 3', 'minute 4', 'minute 5'];
    expect(await places(count('a', 7))).toEqual([...first, 'second 6', 'second 7']);
    expect(await places(count('a', 1))).toEqual(['second 8']);
  });

  it('counts keys apart', async () => {
    const count = create(WINDOWS);
    await count('a', 3);
    expect(await places(count('b', 1))).toEqual(['minute 1']);
  });

  it('says when the window ends', async () => {
    const [place] = await create(WITHOUT_SECOND)('a', 1);
    expect(place?.msBeforeNext).toBeGreaterThan(59_000);
    expect(place?.msBeforeNext).toBeLessThanOrEqual(60_000);
    const [, beyond] = await create({ name: 'x', limits: { second: 1, minute: 8 } })('a', 2);
    expect(beyond?.msBeforeNext).toBeGreaterThan(0);
    expect(beyond?.msBeforeNext).toBeLessThanOrEqual(1000);
  });
});

it('counts over all processes in Redis, whatever limits they have, and nothing that was turned away by the second', async () => {
  const prefix = uniquePrefix();
  const other = new Redis(testRedisUrl());
  await createSharedCounter(redis, prefix, WINDOWS)('a', 7);
  const [place] = await createSharedCounter(other, prefix, WITHOUT_SECOND)('a', 1);
  other.disconnect();
  expect(place).toMatchObject({ window: 'minute', number: 6 });
});

it('leaves nothing in Redis that does not expire', async () => {
  const prefix = uniquePrefix();
  await createSharedCounter(redis, prefix, WINDOWS)('a', 2);
  const keys = await redis.keys(`${prefix}*`);
  expect(keys).toHaveLength(2);
  for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0);
});
