import type { AttemptResult, ClaimedDelivery, Database, DeliveryClaim } from '@mediagate/database';
import { type OpenTestDatabase, openTestDatabase } from '@mediagate/testkit';
import type { Sender } from '../src';
import { readDue } from '../src/sender';
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

const LEASE_MS = 30_000;

describe('deliveries written together', () => {
  let home: OpenTestDatabase;
  let database: Database;
  let sender: Sender;
  let accountId: string;

  beforeAll(async () => {
    home = await openTestDatabase();
    ({ database } = home);
    ({ accountId } = await insertAccount(database));
    ({ sender } = createWorld(database, { client: {} }));
  });

  afterAll(() => home.close());

  async function insertMany(count: number): Promise<string[]> {
    const ids: string[] = [];
    while (ids.length < count) ids.push((await insertDelivery(database, { accountId })).deliveryId);
    return ids;
  }

  async function claimOne(id: string): Promise<ClaimedDelivery> {
    const claim = await database.claimDelivery(id, LEASE_MS);
    if (!claim) throw new Error('not claimable');
    return claim;
  }

  async function readAndStart(other: Database, id: string) {
    const read = await readDue({ database: other }, id);
    return read && other.startDeliveryAttempt({ ...read.delivery, ...START, isClaimed: false });
  }

  /** As many processes, as far as PostgreSQL can tell. */
  const processes = (count: number) => Array.from({ length: count }, () => home.another());

  it('are claimed each by its own caller, and by the first alone when named twice', async () => {
    const ids = await insertMany(3);
    const [first = ''] = ids;
    const claims = await Promise.all([...ids, first, 'unknown'].map((id) => database.claimDelivery(id, LEASE_MS)));
    expect(claims.map((claim) => claim?.id)).toEqual([...ids, undefined, undefined]);
  });

  it('go to one sender each, however many claim them at once and in whatever order', async () => {
    const ids = await insertMany(40);
    const claims = await Promise.all(
      processes(6).flatMap((other, index) =>
        (index % 2 === 0 ? ids : [...ids].reverse()).map((id) => other.claimDelivery(id, LEASE_MS)),
      ),
    );
    expect(claims.flatMap((claim) => claim?.id ?? []).sort()).toEqual([...ids].sort());
  });

  it('are read by any number of senders, and started by one of them each, which claims it so', async () => {
    const ids = await insertMany(20);
    const started = await Promise.all(
      processes(4).flatMap((other) => [...ids, ...ids].map((id) => readAndStart(other, id))),
    );
    expect(started.flatMap((attempt) => attempt ?? [])).toHaveLength(ids.length);
    for (const id of ids) {
      await expect(readDelivery(database, id)).resolves.toMatchObject({ attemptsMade: 1, fence: 1, leased: true });
    }
  });

  it('are not started as they were read once they were claimed, counted or ended', async () => {
    const ids = await insertMany(3);
    const reads = await Promise.all(ids.map((id) => readDue(sender, id)));
    const [claimed = '', counted = '', ended = ''] = ids;
    const lapsed = await claimOne(counted);
    await claimOne(claimed);
    await database.startDeliveryAttempt({ ...lapsed, ...START, isClaimed: true });
    await passTime(database, counted);
    await database.cancelDelivery(ended, { actor: 'test' });
    const started = await Promise.all(
      reads.flatMap((read) =>
        read ? [database.startDeliveryAttempt({ ...read.delivery, ...START, isClaimed: false })] : [],
      ),
    );
    expect(started).toEqual([undefined, undefined, undefined]);
    await expect(readDelivery(database, counted)).resolves.toMatchObject({ attemptsMade: 1 });
  });

  it('are read with their task until they have a body, and not at all while somebody has them', async () => {
    const [id = ''] = await insertMany(1);
    await expect(readDue(sender, id)).resolves.toMatchObject({
      delivery: { id, fence: 0 },
      task: { status: 'completed' },
    });
    const claim = await claimOne(id);
    await expect(readDue(sender, id)).resolves.toBeUndefined();
    await database.startDeliveryAttempt({ ...claim, ...START, isClaimed: true });
    await passTime(database, id);
    const again = await readDue(sender, id);
    expect(again).toMatchObject({ delivery: { id, fence: 1, attemptsMade: 1, body: '{}' } });
    expect(again).not.toHaveProperty('task');
  });

  it('are started each with its own body and number', async () => {
    const claims = await Promise.all((await insertMany(3)).map(claimOne));
    const started = await Promise.all(
      claims.map((claim) =>
        database.startDeliveryAttempt({ ...claim, ...START, isClaimed: true, body: `"${claim.id}"` }),
      ),
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
    await Promise.all(claims.map((claim) => database.startDeliveryAttempt({ ...claim, ...START, isClaimed: true })));
    const [one, two] = claims as [ClaimedDelivery, ClaimedDelivery];
    const moved = await Promise.all([
      database.recordDeliveryAttempt(resultOf(one)),
      database.recordDeliveryAttempt(
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
      database.startDeliveryAttempt({ ...lapsed, ...START, isClaimed: true, body: '"lapsed"' }),
      database.startDeliveryAttempt({ ...present, ...START, isClaimed: true, body: '"present"' }),
    ]);
    expect(started[0]).toBeUndefined();
    expect(started[1]).toMatchObject({ body: '"present"', number: 1, attemptsMade: 1 });
    const moved = await Promise.all([lapsed, present].map((claim) => database.recordDeliveryAttempt(resultOf(claim))));
    expect(moved).toEqual([false, true]);
  });
});
