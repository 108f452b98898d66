import { testRedisUrl, uniquePrefix } from '@mediagate/testkit';
import { Redis } from 'ioredis';
import {
  type CountRequests,
  createOwnCounter,
  createSharedCounter,
  leftOf,
  type RateChain,
  type RateLevel,
} from './rate-windows';

const LIMITS = { second: 5, minute: 8 };
const WITHOUT_SECOND = { second: Number.POSITIVE_INFINITY, minute: 8 };

const chain = (...levels: [id: string, limits: RateLevel['limits']][]): RateChain => ({
  signature: JSON.stringify(levels),
  accountId: 'account',
  levels: levels.map(([id, limits]) => ({ name: 'submit', whose: 'whose_key', id, limits })),
});

let redis: Redis;
beforeAll(() => {
  redis = new Redis(testRedisUrl());
});
afterAll(() => redis.disconnect());

const counters: [string, () => CountRequests][] = [
  ['in Redis', () => createSharedCounter(redis, uniquePrefix())],
  ['in this process', createOwnCounter],
];

describe.each(counters)('counting requests %s', (_, create) => {
  /** Window and number of each. */
  const places = async (counting: ReturnType<CountRequests>) =>
    (await counting).map(({ window, number }) => `${window} ${number}`);

  it('gives each request of a group its own number within the minute', async () => {
    const count = create();
    expect(await places(count(chain(['a', WITHOUT_SECOND]), 2))).toEqual(['minute 1', 'minute 2']);
    expect(await places(count(chain(['a', WITHOUT_SECOND]), 1))).toEqual(['minute 3']);
  });

  it('does not count in the minute what is beyond the limit of the second', async () => {
    const count = create();
    const first = ['minute 1', 'minute 2', 'minute 3', 'minute 4', 'minute 5'];
    expect(await places(count(chain(['a', LIMITS]), 7))).toEqual([...first, 'second 6', 'second 7']);
    expect(await places(count(chain(['a', LIMITS]), 1))).toEqual(['second 8']);
  });

  it('counts keys apart', async () => {
    const count = create();
    await count(chain(['a', LIMITS]), 3);
    expect(await places(count(chain(['b', LIMITS]), 1))).toEqual(['minute 1']);
  });

  it('counts for a later limit only what those before let through, and tells the one that decides', async () => {
    const count = create();
    const [one, two] = [
      chain(['one', { second: 4, minute: 3 }], ['both', WITHOUT_SECOND]),
      chain(['two', WITHOUT_SECOND], ['both', WITHOUT_SECOND]),
    ];
    const told = async (counting: ReturnType<CountRequests>) =>
      (await counting).map((place) => `${place.level.id} ${place.window} ${leftOf(place)}`);
    expect(await told(count(one, 6))).toEqual([
      'one minute 2',
      'one minute 1',
      'one minute 0',
      'one minute -1',
      'one second -1',
      'one second -2',
    ]);
    // Three of six came as far as the limit of both.
    expect(await told(count(two, 6))).toEqual([
      'both minute 4',
      'both minute 3',
      'both minute 2',
      'both minute 1',
      'both minute 0',
      'both minute -1',
    ]);
  });

  it('says when the window ends', async () => {
    const [place] = await create()(chain(['a', WITHOUT_SECOND]), 1);
    expect(place?.msBeforeNext).toBeGreaterThan(59_000);
    expect(place?.msBeforeNext).toBeLessThanOrEqual(60_000);
    const [, beyond] = await create()(chain(['a', { second: 1, minute: 8 }]), 2);
    expect(beyond?.msBeforeNext).toBeGreaterThan(0);
    expect(beyond?.msBeforeNext).toBeLessThanOrEqual(1000);
  });
});

it('counts over all processes in Redis, whatever limits they have, and nothing that was turned away by the second', async () => {
  const prefix = uniquePrefix();
  const other = new Redis(testRedisUrl());
  await createSharedCounter(redis, prefix)(chain(['a', LIMITS]), 7);
  const [place] = await createSharedCounter(other, prefix)(chain(['a', WITHOUT_SECOND]), 1);
  other.disconnect();
  expect(place).toMatchObject({ window: 'minute', number: 6 });
});

it('leaves nothing in Redis that does not expire', async () => {
  const prefix = uniquePrefix();
  await createSharedCounter(redis, prefix)(chain(['a', LIMITS]), 2);
  const keys = await redis.keys(`${prefix}*`);
  expect(keys).toHaveLength(2);
  for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0);
});
