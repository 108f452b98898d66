import type { Database } from '@mediagate/database';
import { type Consumer, openQueues, type QueuedDelivery, type Queues } from '@mediagate/queue';
import { type OpenTestDatabase, openTestDatabase, runSql, testRedisUrl, uniquePrefix, until } from '@mediagate/testkit';
import { redeliverMany } from '../src';
import { answer, hang, openReceiver, type Receiver } from './receiver';
import { insertAccount, insertDelivery, readDelivery } from './rows';
import { createWorld, type Logged, type World, type WorldOptions } from './world';

const CONCURRENCY = 12;
/** Longer than any test: what hangs does so to the end. */
const ENDLESS_TIMEOUT_MS = 60_000;

let testDatabase: OpenTestDatabase;
let database: Database;
let queues: Queues;
let consumer: Consumer | undefined;
let receivers: Receiver[];

beforeAll(async () => {
  testDatabase = await openTestDatabase(8);
  ({ database } = testDatabase);
});

afterAll(() => testDatabase.close());

beforeEach(async () => {
  queues = openQueues({ redisUrl: testRedisUrl(), prefix: uniquePrefix() });
  receivers = [await openReceiver(), await openReceiver()];
});

afterEach(async () => {
  // Receivers first: a consumer waits for what is in flight.
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await stopConsuming();
  await queues.close();
});

async function stopConsuming(): Promise<void> {
  await consumer?.close();
  consumer = undefined;
}

function consume(options: Omit<WorldOptions, 'client'>): World {
  const client = { allowOrigins: receivers.map((receiver) => receiver.origin) };
  const world = createWorld(database, { queue: queues, ...options, client });
  consumer = queues.consumeDeliveries((job) => world.take(job), { concurrency: CONCURRENCY });
  return world;
}

async function enqueueNew(count: number, url: string): Promise<{ accountId: string; deliveryIds: string[] }> {
  const { accountId } = await insertAccount(database);
  const deliveryIds: string[] = [];
  for (let index = 0; index < count; index += 1) {
    deliveryIds.push((await insertDelivery(database, { accountId, url })).deliveryId);
  }
  await queues.enqueueDeliveries(deliveryIds.map((deliveryId) => ({ deliveryId, attemptsMade: 0 })));
  return { accountId, deliveryIds };
}

const withOutcome =
  (outcome: string) =>
  ({ event, fields }: Logged): boolean =>
    event === 'webhook.attempted' && fields.outcome === outcome;

const INSERT_EXHAUSTED = `
insert into webhook_deliveries (id, task_id, account_id, url, body, state, attempts_made, next_attempt_at, ended_at)
select 'many-' || i, 'task_' || lpad(i::text, 26, '0'), $1, $2, '{}', 'exhausted', 4, null, now() from generate_series(1, 1000) i`;

function twoReceivers(): [Receiver, Receiver] {
  const [first, second] = receivers;
  if (!first || !second) throw new Error('no receivers');
  return [first, second];
}

describe('the consumer of the queue of deliveries', () => {
  it('enqueues every further attempt until the receiver takes the callback', async () => {
    const [receiver] = twoReceivers();
    receiver.behave(answer(500), answer(503), answer(200));
    const world = consume({ retryDelaysMs: [5, 5, 5] });
    const { deliveryIds } = await enqueueNew(1, receiver.origin);
    await world.heard(1, withOutcome('delivered'));
    expect(receiver.connections()).toBe(3);
    expect(await readDelivery(database, deliveryIds[0] ?? '')).toMatchObject({ state: 'delivered', attemptsMade: 3 });
  });

  it('puts a callback off that comes before its time by clocks that differ, and drops jobs of attempts that were made', async () => {
    const [receiver] = twoReceivers();
    const { accountId } = await insertAccount(database);
    const { deliveryId } = await insertDelivery(database, { accountId, url: receiver.origin });
    const later = `update webhook_deliveries set next_attempt_at = now() + interval '60 seconds', attempts_made = 1 where id = $1`;
    await runSql(database, later, [deliveryId]);
    const putOff: QueuedDelivery[] = [];
    const world = consume({
      queue: {
        enqueueDeliveries: (deliveries) => queues.enqueueDeliveries(deliveries),
        async enqueueDelivery(delivery) {
          putOff.push(delivery);
          await runSql(database, `update webhook_deliveries set next_attempt_at = now() where id = $1`, [deliveryId]);
          return queues.enqueueDelivery({ ...delivery, delayMs: 0 });
        },
      },
    });
    await queues.enqueueDeliveries([0, 1].map((attemptsMade) => ({ deliveryId, attemptsMade })));
    await world.heard(1, withOutcome('delivered'));
    expect(putOff).toMatchObject([{ deliveryId, attemptsMade: 1 }]);
    expect(putOff[0]?.delayMs).toBeGreaterThan(0);
    expect(putOff[0]?.delayMs).toBeLessThanOrEqual(60_000);
  });

  it('delivers a hundred callbacks of one account while three hundred of another wait for a receiver that hangs', async () => {
    const [hanging, healthy] = twoReceivers();
    hanging.behave(hang);
    await enqueueNew(300, hanging.origin);
    const { deliveryIds } = await enqueueNew(100, healthy.origin);
    const world = consume({ timeoutMs: ENDLESS_TIMEOUT_MS });
    await world.heard(100, withOutcome('delivered'));
    expect(world.logged).toHaveLength(100);
    expect(new Set(world.logged.map(({ fields }) => fields.deliveryId))).toEqual(new Set(deliveryIds));
    expect(hanging.connections()).toBe(4);
    await world.drain();
  });

  it('sends every callback that had to wait for its host, one place after the other', async () => {
    const [receiver] = twoReceivers();
    const world = consume({});
    const { deliveryIds } = await enqueueNew(150, receiver.origin);
    await world.heard(150, withOutcome('delivered'));
    expect(receiver.received).toHaveLength(150);
    expect(new Set(world.logged.map(({ fields }) => fields.deliveryId))).toEqual(new Set(deliveryIds));
  });

  it('sends a thousand that are to be sent again by four at a time to their host', async () => {
    const [receiver] = twoReceivers();
    const { accountId } = await insertAccount(database);
    await runSql(database, INSERT_EXHAUSTED, [accountId, receiver.origin]);
    let [open, most] = [0, 0];
    receiver.behave((socket) => {
      open += 1;
      most = Math.max(most, open);
      socket.once('close', () => {
        open -= 1;
      });
      answer(200)(socket);
    });
    const outcome = await redeliverMany(
      { database },
      { accountId, state: 'exhausted', limit: 1000 },
      { actor: 'cli:ada' },
    );
    expect(outcome).toMatchObject({ row: { after: { redelivered: 1000 } } });
    const world = consume({});
    await queues.enqueueDeliveries(
      Array.from({ length: 1000 }, (_, index) => ({ deliveryId: `many-${index + 1}`, attemptsMade: 0 })),
    );
    await world.heard(1000, withOutcome('delivered'));
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1000);
    expect(most).toBeLessThanOrEqual(4);
  });

  it('has a claim of each callback that waits for its slot, so that no other sender takes it', async () => {
    const [hanging] = twoReceivers();
    hanging.behave(hang);
    const world = consume({ timeoutMs: ENDLESS_TIMEOUT_MS });
    const { deliveryIds } = await enqueueNew(12, hanging.origin);
    await hanging.waitFor(4);
    await allTaken(world, 8);
    const rows = await Promise.all(deliveryIds.map((id) => readDelivery(database, id)));
    expect(rows.filter((row) => row.leased && row.fence === 1)).toHaveLength(12);
    expect(rows.filter((row) => row.attemptsMade === 1)).toHaveLength(4);
    await consumer?.pause();
    await world.drain();
  });

  it('once drained gives back what waits, sends nothing more, and finishes what is in flight', async () => {
    const [hanging] = twoReceivers();
    hanging.behave(hang);
    const world = consume({ timeoutMs: ENDLESS_TIMEOUT_MS });
    const { deliveryIds } = await enqueueNew(30, hanging.origin);
    await hanging.waitFor(4);
    await allTaken(world, 26);
    await consumer?.pause();
    await world.drain();
    hanging.cutAll();
    await stopConsuming();
    expect(hanging.connections()).toBe(4);
    const rows = await Promise.all(deliveryIds.map((id) => readDelivery(database, id)));
    expect(rows.filter((row) => row.attemptsMade === 1 && row.reason === 'network')).toHaveLength(4);
    expect(rows.filter((row) => row.attemptsMade === 0 && row.due && !row.leased)).toHaveLength(26);
  });
});

/** Waits until so many wait for a place: the gauge is what an operator would look at. */
async function allTaken(world: World, queuedForSlot: number): Promise<void> {
  await until(async () => {
    const gauge = await world.registry.getSingleMetric('mediagate_webhook_waiting')?.get();
    return gauge?.values[0]?.value === queuedForSlot;
  }, `${queuedForSlot} wait for a place`);
}
