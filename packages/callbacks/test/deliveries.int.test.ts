import type { AttemptStart, ClaimedDelivery, Database, DeliveryClaim } from '@mediagate/database';
import type { QueuedDelivery } from '@mediagate/queue';
import { type OpenTestDatabase, openTestDatabase, runSql } from '@mediagate/testkit';
import { type DeliveryVerdict, decide, findDelivery, listDeliveries, redeliver, rotateWebhookSecret } from '../src';
import { insertAccount, insertDelivery, passTime, readDelivery } from './rows';
import { callbacksOn } from './world';

const DELAYS_MS = [10_000, 30_000, 60_000];
const START = { body: '{"first":true}', leaseMs: 15_000, retryIfLostMs: 20_000 };

let testDatabase: OpenTestDatabase;
let database: Database;
let accountId: string;
let secret: string;

beforeAll(async () => {
  testDatabase = await openTestDatabase(8);
  ({ database } = testDatabase);
});

afterAll(() => testDatabase.close());

beforeEach(async () => {
  ({ accountId, secret } = await insertAccount(database));
});

const LEASE_MS = 30_000;

const claimDelivery = (id: string) => database.claimDelivery(id, LEASE_MS);

const startAttempt = (claim: ClaimedDelivery, start: AttemptStart) =>
  database.startDeliveryAttempt({ ...claim, ...start, isClaimed: true });

/** Whether the delivery was moved. */
async function recordAnswer(claim: DeliveryClaim, answer: Answer): Promise<boolean> {
  const { id, fence } = claim;
  const { number, status: httpStatus, excerpt = null, verdict } = answer;
  const reason = 'reason' in verdict ? verdict.reason : null;
  const retryAfterMs = verdict.state === 'pending' ? verdict.retryAfterMs : null;
  const result = { id, fence, number, httpStatus, error: null, excerpt, state: verdict.state, reason, retryAfterMs };
  return database.recordDeliveryAttempt(result);
}

interface Answer {
  number: number;
  status: number;
  excerpt?: string;
  verdict: DeliveryVerdict;
}

async function claimNew(): Promise<ClaimedDelivery> {
  const { deliveryId } = await insertDelivery(database, { accountId });
  return await claimAgain(deliveryId);
}

async function claimAgain(deliveryId: string): Promise<ClaimedDelivery> {
  const claim = await claimDelivery(deliveryId);
  if (!claim) throw new Error('not claimable');
  return claim;
}

/** One whole attempt that the receiver answered with this status. */
async function attemptAnswered(claim: ClaimedDelivery, status: number): Promise<void> {
  const started = await startAttempt(claim, START);
  if (!started) throw new Error('not ours');
  const verdict = decide(started.attemptsMade, { kind: 'answered', status }, DELAYS_MS);
  expect(await recordAnswer(claim, { number: started.number, status, verdict })).toBe(true);
}

describe('a claim', () => {
  it('refuses what is leased, not due, ended or unknown', async () => {
    const claim = await claimNew();
    expect(await claimDelivery(claim.id)).toBeUndefined();
    await attemptAnswered(claim, 500);
    expect(await claimDelivery(claim.id)).toBeUndefined();
    await passTime(database, claim.id);
    await attemptAnswered(await claimAgain(claim.id), 200);
    await passTime(database, claim.id);
    expect(await claimDelivery(claim.id)).toBeUndefined();
    expect(await claimDelivery('unknown')).toBeUndefined();
  });

  it('takes over when a lease has ended, with a higher fence', async () => {
    const claim = await claimNew();
    await passTime(database, claim.id);
    expect((await claimAgain(claim.id)).fence).toBe(claim.fence + 1);
  });

  it('is possible again at once after a release, but not for who holds an older fence', async () => {
    const claim = await claimNew();
    await database.releaseDeliveries([{ id: claim.id, fence: claim.fence - 1 }]);
    expect(await claimDelivery(claim.id)).toBeUndefined();
    await database.releaseDeliveries([claim]);
    expect((await claimAgain(claim.id)).fence).toBe(claim.fence + 1);
  });
});

describe('an attempt', () => {
  it.each([
    [1, 10_000],
    [2, 30_000],
    [3, 60_000],
  ])(
    'number %i that fails is followed by one exactly %i ms after its end, by the clock of the database',
    async (attempt, ms) => {
      const { deliveryId } = await insertDelivery(database, { accountId });
      for (let made = 0; made < attempt; made += 1) {
        await passTime(database, deliveryId);
        await attemptAnswered(await claimAgain(deliveryId), 503);
      }
      expect(await readDelivery(database, deliveryId)).toMatchObject({
        state: 'pending',
        reason: 'http_503',
        attemptsMade: attempt,
        nextAfterLastMs: ms,
        leased: false,
        due: false,
        ended: false,
      });
    },
  );

  it('is the last one when it is the fourth', async () => {
    const { deliveryId } = await insertDelivery(database, { accountId });
    for (let made = 0; made < 4; made += 1) {
      await passTime(database, deliveryId);
      await attemptAnswered(await claimAgain(deliveryId), 503);
    }
    expect(await readDelivery(database, deliveryId)).toMatchObject({
      state: 'exhausted',
      attemptsMade: 4,
      ended: true,
    });
    expect(await claimDelivery(deliveryId)).toBeUndefined();
  });

  it('is counted, and its body kept, before its outcome is known', async () => {
    const claim = await claimNew();
    const started = await startAttempt(claim, START);
    expect(started).toMatchObject({ number: 1, attemptsMade: 1, body: START.body });
    expect(await readDelivery(database, claim.id)).toMatchObject({
      state: 'pending',
      body: START.body,
      attemptsMade: 1,
      nextAfterStartMs: START.retryIfLostMs,
      leased: true,
    });
  });

  it('whose outcome was lost is repeated with the stored bytes, whatever a later process would make of the task', async () => {
    const claim = await claimNew();
    await startAttempt(claim, START);
    await passTime(database, claim.id);
    const again = await claimAgain(claim.id);
    expect(again).toMatchObject({ body: START.body, attemptsMade: 1 });
    const started = await startAttempt(again, { ...START, body: '{"second":true}' });
    expect(started).toMatchObject({ number: 2, attemptsMade: 2, body: START.body });
  });

  it('cannot start, and cannot move the delivery, under a fence that is no longer the newest', async () => {
    const stale = await claimNew();
    const started = await startAttempt(stale, START);
    await passTime(database, stale.id);
    const current = await claimAgain(stale.id);
    expect(await startAttempt(stale, START)).toBeUndefined();
    const late = { number: started?.number ?? 0, status: 404, excerpt: 'late' };
    const verdict = { state: 'rejected', reason: 'http_404' } as const;
    expect(await recordAnswer(stale, { ...late, verdict })).toBe(false);
    expect(await database.endDelivery(stale, { state: 'dropped', reason: 'x' })).toEqual([]);
    expect(await readDelivery(database, stale.id)).toMatchObject({ state: 'pending', fence: current.fence });
    const listed = await findDelivery({ database }, { taskId: stale.taskId });
    expect(listed?.attempts).toMatchObject([
      { number: 1, httpStatus: 404, excerpt: 'late', endedAt: expect.any(Date) },
    ]);
  });

  it('may start after its lease ran out, if nobody else has claimed meanwhile', async () => {
    const claim = await claimNew();
    await passTime(database, claim.id);
    expect(await startAttempt(claim, START)).toMatchObject({ attemptsMade: 1 });
  });
});

describe('deliveries that are due', () => {
  it('finds what is due and unheld, and nothing else', async () => {
    const waiting = await insertDelivery(database, { accountId });
    const held = await claimNew();
    const later = await claimNew();
    await attemptAnswered(later, 500);
    const ended = await claimNew();
    await attemptAnswered(ended, 200);
    const found = await database.findDueDeliveries({ afterAccountId: '', limit: 1000, overdueMs: 0 });
    const ids = found.map((due) => due.deliveryId);
    expect(ids).toContain(waiting.deliveryId);
    for (const other of [held, later, ended]) expect(ids).not.toContain(other.id);
    const due = { deliveryId: waiting.deliveryId, attemptsMade: 0, fence: 0 };
    expect(found).toContainEqual(expect.objectContaining(due));
  });

  it('leaves what has just become due to the normal path', async () => {
    const { deliveryId } = await insertDelivery(database, { accountId });
    const wanted = { afterAccountId: '', limit: 1000, overdueMs: 60_000 };
    const found = await database.findDueDeliveries(wanted);
    expect(found.map((due) => due.deliveryId)).not.toContain(deliveryId);
  });

  it('lets accounts take turns, so a thousand of one do not hide the one of another', async () => {
    const crowd = await insertAccount(database);
    for (let index = 0; index < 40; index += 1) await insertDelivery(database, { accountId: crowd.accountId });
    const { deliveryId } = await insertDelivery(database, { accountId });
    const accounts = await runSql<{ count: number }>(
      database,
      "select count(distinct account_id)::int as count from webhook_deliveries where state = 'pending'",
    );
    const wanted = { afterAccountId: '', limit: accounts[0]?.count ?? 0, overdueMs: 0 };
    const found = await database.findDueDeliveries(wanted);
    expect(found.map((due) => due.deliveryId)).toContain(deliveryId);
  });
});

describe('redeliver', () => {
  it('is enqueued once as a job of its own, which nobody waits for, and not again for a repeated request', async () => {
    const claim = await claimNew();
    await attemptAnswered(claim, 404);
    const enqueued: QueuedDelivery[] = [];
    const enqueueDelivery = (delivery: QueuedDelivery) => {
      enqueued.push(delivery);
      return new Promise<never>(() => undefined);
    };
    const callbacks = callbacksOn(database);
    const stuck = { ...callbacks, queue: { ...callbacks.queue, enqueueDelivery } };
    const idempotency = { key: claim.id, requestHash: Buffer.alloc(32) };
    const request = { actor: 'operator', idempotency };
    expect(await redeliver(stuck, { id: claim.id }, request)).toMatchObject({ kind: 'changed', replayed: false });
    expect(await redeliver(stuck, { id: claim.id }, request)).toMatchObject({ kind: 'changed', replayed: true });
    expect(enqueued).toEqual([{ deliveryId: claim.id, attemptsMade: 0, distinct: String(claim.fence + 1) }]);
  });

  it('ends a pending one, whose request under way is recorded and changes nothing', async () => {
    const claim = await claimNew();
    const started = await startAttempt(claim, START);
    expect(await database.cancelDelivery(claim.id, { actor: 'operator' })).toMatchObject({ kind: 'changed' });
    const late = { number: started?.number ?? 0, status: 200, verdict: { state: 'delivered' } as const };
    expect(await recordAnswer(claim, late)).toBe(false);
    const listed = await findDelivery({ database }, { taskId: claim.taskId });
    expect(listed).toMatchObject({ state: 'dropped', reason: 'cancelled_by_operator', nextAttemptAt: null });
    expect(listed?.attempts).toMatchObject([{ number: 1, httpStatus: 200 }]);
    expect(await database.cancelDelivery(claim.id, { actor: 'operator' })).toEqual({ kind: 'unchanged' });
  });
});

describe('listDeliveries', () => {
  it('pages through the deliveries of one account, the newest first, by state if wished', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await insertDelivery(database, { accountId })).deliveryId);
    const pages: string[][] = [];
    let before: string | undefined;
    do {
      const page = await listDeliveries({ database }, { accountId, limit: 2, before });
      pages.push(page.rows.map((delivery) => delivery.id));
      before = page.next;
    } while (before !== undefined);
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(
      (await listDeliveries({ database }, { accountId, limit: 100 })).rows.map(({ id }) => id),
    );
    expect(pages.flat().toSorted()).toEqual(ids.toSorted());
    const tasks = (await listDeliveries({ database }, { accountId, limit: 100 })).rows.map(({ taskId }) => taskId);
    expect(tasks).toEqual(tasks.toSorted().toReversed());
    expect((await listDeliveries({ database }, { accountId, state: 'delivered', limit: 10 })).rows).toEqual([]);
  });
});

describe('rotateWebhookSecret', () => {
  const rotated = async (overlapMs: number) => {
    const outcome = await rotateWebhookSecret({ database }, accountId, { overlapMs, actor: 'test' });
    return outcome?.kind === 'rotated' ? outcome.secret : undefined;
  };

  it('lets the old secret sign beside the new one while the overlap lasts, and no longer', async () => {
    const fresh = await rotated(60_000);
    expect((await claimNew()).secrets).toEqual([fresh, secret]);
    const next = await rotated(0);
    expect((await claimNew()).secrets).toEqual([next]);
    expect(new Set([secret, fresh, next]).size).toBe(3);
  });

  it('says when there is no such account', async () => {
    expect(await rotateWebhookSecret({ database }, 'nobody', { overlapMs: 0, actor: 'test' })).toBeUndefined();
  });
});
