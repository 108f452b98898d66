import type { AttemptResult, ClaimedDelivery, Database, DeliveryClaim } from '@mediagate/database';
import { type OpenTestDatabase, openTestDatabase } from '@mediagate/testkit';
import type { Sender } from '../src';
import { insertAccount, insertDelivery, passTime, readDelivery } from './rows';
import { createWorld } from './world';

const START = { body: '{}', leaseMs: 15_000, retryIfLostMs: 20_000 };
const DELIVERED = {
  number: 1,
  httpStatus: 200,
  error: null,
  excerpt: null,
  state: 'delivered',
  reason: null,
  retryAfterMs: null,
};

const resultOf = ({ id, fence }: DeliveryClaim, end: Partial<AttemptResult> = {}): AttemptResult => ({
  id,
  fence,
  ...DELIVERED,
  ...end,
});

const senderOn = (database: Database): Sender => createWorld(database, { client: {} }).sender;

describe('deliveries written together', () => {
  let home: OpenTestDatabase;
  let database: Database;
  let sender: Sender;
  let accountId: string;

  beforeAll(async () => {
    home = await openTestDatabase();
    ({ database } = home);
    ({ accountId } = await insertAccount(database));
    sender = senderOn(database);
  });

  afterAll(() => home.close());

  async function insertMany(count: number): Promise<string[]> {
    const ids: string[] = [];
    while (ids.length < count) ids.push((await insertDelivery(database, { accountId })).deliveryId);
    return ids;
  }

  async function claimOne(id: string): Promise<ClaimedDelivery> {
    const claim = await sender.claim(id);
    if (!claim) throw new Error('not claimable');
    return claim;
  }

  async function readAndStart(other: Sender, id: string) {
    const read = await other.read(id);
    return read && other.start({ ...read.delivery, ...START, isClaimed: false });
  }

  it('are claimed each by its own caller, and by the first alone when named twice', async () => {
    const ids = await insertMany(3);
    const [first = ''] = ids;
    const claims = await Promise.all([...ids, first, 'unknown'].map((id) => sender.claim(id)));
    expect(claims.map((claim) => claim?.id)).toEqual([...ids, undefined, undefined]);
  });

  it('go to one sender each, however many claim them at once and in whatever order', async () => {
    const ids = await insertMany(40);
    const senders = Array.from({ length: 6 }, () => senderOn(database));
    const claims = await Promise.all(
      senders.flatMap((sender, index) => (index % 2 === 0 ? ids : [...ids].reverse()).map((id) => sender.claim(id))),
    );
    expect(claims.flatMap((claim) => claim?.id ?? []).sort()).toEqual([...ids].sort());
  });

  it('are read by any number of senders, and started by one of them each, which claims it so', async () => {
    const ids = await insertMany(20);
    const senders = Array.from({ length: 4 }, () => senderOn(database));
    const started = await Promise.all(
      senders.flatMap((sender) => [...ids, ...ids].map((id) => readAndStart(sender, id))),
    );
    expect(started.flatMap((attempt) => attempt ?? [])).toHaveLength(ids.length);
    for (const id of ids) {
      await expect(readDelivery(database, id)).resolves.toMatchObject({ attemptsMade: 1, fence: 1, leased: true });
    }
  });

  it('are not started as they were read once they were claimed, counted or ended', async () => {
    const ids = await insertMany(3);
    const reads = await Promise.all(ids.map((id) => sender.read(id)));
    const [claimed = '', counted = '', ended = ''] = ids;
    const lapsed = await claimOne(counted);
    await claimOne(claimed);
    await sender.start({ ...lapsed, ...START, isClaimed: true });
    await passTime(database, counted);
    await database.cancelDelivery(ended, { actor: 'test' });
    const started = await Promise.all(
      reads.flatMap((read) => (read ? [sender.start({ ...read.delivery, ...START, isClaimed: false })] : [])),
    );
    expect(started).toEqual([undefined, undefined, undefined]);
    await expect(readDelivery(database, counted)).resolves.toMatchObject({ attemptsMade: 1 });
  });

  it('are read with their task until they have a body, and not at all while somebody has them', async () => {
    const [id = ''] = await insertMany(1);
    await expect(sender.read(id)).resolves.toMatchObject({ delivery: { id, fence: 0 }, task: { status: 'completed' } });
    const claim = await claimOne(id);
    await expect(sender.read(id)).resolves.toBeUndefined();
    await sender.start({ ...claim, ...START, isClaimed: true });
    await passTime(database, id);
    const again = await sender.read(id);
    expect(again).toMatchObject({ delivery: { id, fence: 1, attemptsMade: 1, body: '{}' } });
    expect(again).not.toHaveProperty('task');
  });

  it('are started each with its own body and number', async () => {
    const claims = await Promise.all((await insertMany(3)).map(claimOne));
    const started = await Promise.all(
      claims.map((claim) => sender.start({ ...claim, ...START, isClaimed: true, body: `"${claim.id}"` })),
    );
    expect(started.map((attempt) => attempt?.body)).toEqual(claims.map(({ id }) => `"${id}"`));
    expect(started.map((attempt) => [attempt?.number, attempt?.attemptsMade])).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
  });

  it('are recorded each with its own outcome', async () => {
    const claims = await Promise.all((await insertMany(2)).map(claimOne));
    await Promise.all(claims.map((claim) => sender.start({ ...claim, ...START, isClaimed: true })));
    const [one, two] = claims as [ClaimedDelivery, ClaimedDelivery];
    const moved = await Promise.all([
      sender.record(resultOf(one)),
      sender.record(
        resultOf(two, {
          httpStatus: null,
          error: 'timeout',
          state: 'pending',
          reason: 'timeout',
          retryAfterMs: 10_000,
        }),
      ),
    ]);
    expect(moved).toEqual([true, true]);
    await expect(readDelivery(database, one.id)).resolves.toMatchObject({ state: 'delivered', reason: null });
    await expect(readDelivery(database, two.id)).resolves.toMatchObject({ state: 'pending', reason: 'timeout' });
  });

  it('tell a lapsed claim from the present one of the same delivery, though both are written at once', async () => {
    const [id = ''] = await insertMany(1);
    const lapsed = await claimOne(id);
    await passTime(database, id);
    const present = await claimOne(id);
    const started = await Promise.all([
      sender.start({ ...lapsed, ...START, isClaimed: true, body: '"lapsed"' }),
      sender.start({ ...present, ...START, isClaimed: true, body: '"present"' }),
    ]);
    expect(started[0]).toBeUndefined();
    expect(started[1]).toMatchObject({ body: '"present"', number: 1, attemptsMade: 1 });
    const moved = await Promise.all([lapsed, present].map((claim) => sender.record(resultOf(claim))));
    expect(moved).toEqual([false, true]);
  });
});
