import { type Database, openDatabase } from '@mediagate/database';
import { createTestDatabase, type TestDatabase } from '@mediagate/testkit';
import { type ClaimedDelivery, cancelDelivery, createDeliveryWrites, type DeliveryWrites } from '../src';
import { insertAccount, insertDelivery, passTime, readDelivery } from './rows';

const START = { body: '{}', leaseMs: 15_000, retryIfLostMs: 20_000 };
const DELIVERED = { outcome: { kind: 'answered', status: 200 }, verdict: { state: 'delivered' } } as const;

describe('deliveries written together', () => {
  let home: TestDatabase;
  let database: Database;
  let writes: DeliveryWrites;
  let accountId: string;

  beforeAll(async () => {
    home = await createTestDatabase();
    const options = { poolSize: 4, statementTimeoutMs: 5000, applicationName: 'webhooks-test' };
    database = openDatabase({ url: home.databaseUrl, ...options });
    ({ accountId } = await insertAccount(database));
    writes = createDeliveryWrites(database);
  });

  afterAll(async () => {
    await database.close();
    await home.drop();
  });

  async function insertMany(count: number): Promise<string[]> {
    const ids: string[] = [];
    while (ids.length < count) ids.push((await insertDelivery(database, { accountId })).deliveryId);
    return ids;
  }

  async function claimOne(id: string): Promise<ClaimedDelivery> {
    const claim = await writes.claim(id);
    if (!claim) throw new Error('not claimable');
    return claim;
  }

  async function readAndStart(sender: DeliveryWrites, id: string) {
    const read = await sender.read(id);
    return read && sender.start({ ...read.delivery, isClaimed: false }, START);
  }

  it('are claimed each by its own caller, and by the first alone when named twice', async () => {
    const ids = await insertMany(3);
    const [first = ''] = ids;
    const claims = await Promise.all([...ids, first, 'unknown'].map((id) => writes.claim(id)));
    expect(claims.map((claim) => claim?.id)).toEqual([...ids, undefined, undefined]);
  });

  it('go to one sender each, however many claim them at once and in whatever order', async () => {
    const ids = await insertMany(40);
    const senders = Array.from({ length: 6 }, () => createDeliveryWrites(database));
    const claims = await Promise.all(
      senders.flatMap((sender, index) => (index % 2 === 0 ? ids : [...ids].reverse()).map((id) => sender.claim(id))),
    );
    expect(claims.flatMap((claim) => claim?.id ?? []).sort()).toEqual([...ids].sort());
  });

  it('are read by any number of senders, and started by one of them each, which claims it so', async () => {
    const ids = await insertMany(20);
    const senders = Array.from({ length: 4 }, () => createDeliveryWrites(database));
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
    const reads = await Promise.all(ids.map((id) => writes.read(id)));
    const [claimed = '', counted = '', ended = ''] = ids;
    const lapsed = await claimOne(counted);
    await claimOne(claimed);
    await writes.start({ ...lapsed, isClaimed: true }, START);
    await passTime(database, counted);
    await cancelDelivery(database, ended, { actor: 'test' });
    const started = await Promise.all(
      reads.flatMap((read) => (read ? [writes.start({ ...read.delivery, isClaimed: false }, START)] : [])),
    );
    expect(started).toEqual([undefined, undefined, undefined]);
    await expect(readDelivery(database, counted)).resolves.toMatchObject({ attemptsMade: 1 });
  });

  it('are read with their task until they have a body, and not at all while somebody has them', async () => {
    const [id = ''] = await insertMany(1);
    await expect(writes.read(id)).resolves.toMatchObject({ delivery: { id, fence: 0 }, task: { status: 'completed' } });
    const claim = await claimOne(id);
    await expect(writes.read(id)).resolves.toBeUndefined();
    await writes.start({ ...claim, isClaimed: true }, START);
    await passTime(database, id);
    const again = await writes.read(id);
    expect(again).toMatchObject({ delivery: { id, fence: 1, attemptsMade: 1, body: '{}' } });
    expect(again).not.toHaveProperty('task');
  });

  it('are started each with its own body and number', async () => {
    const claims = await Promise.all((await insertMany(3)).map(claimOne));
    const started = await Promise.all(
      claims.map((claim) => writes.start({ ...claim, isClaimed: true }, { ...START, body: `"${claim.id}"` })),
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
    await Promise.all(claims.map((claim) => writes.start({ ...claim, isClaimed: true }, START)));
    const [one, two] = claims as [ClaimedDelivery, ClaimedDelivery];
    const moved = await Promise.all([
      writes.record(one, { ...DELIVERED, number: 1 }),
      writes.record(two, {
        number: 1,
        outcome: { kind: 'unanswered', reason: 'timeout' },
        verdict: { state: 'pending', reason: 'timeout', retryAfterMs: 10_000 },
      }),
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
      writes.start({ ...lapsed, isClaimed: true }, { ...START, body: '"lapsed"' }),
      writes.start({ ...present, isClaimed: true }, { ...START, body: '"present"' }),
    ]);
    expect(started[0]).toBeUndefined();
    expect(started[1]).toMatchObject({ body: '"present"', number: 1, attemptsMade: 1 });
    const moved = await Promise.all(
      [lapsed, present].map((claim) => writes.record(claim, { ...DELIVERED, number: 1 })),
    );
    expect(moved).toEqual([false, true]);
  });
});
