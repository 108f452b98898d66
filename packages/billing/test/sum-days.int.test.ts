import { newTaskId, type TaskId } from '@mediagate/contracts';
import { MARGIN_GROUPS, type MarginGroup } from '@mediagate/database';
import { forAllTests, holdTransaction, runSql, withoutGuards } from '@mediagate/testkit';
import fc from 'fast-check';
import {
  audit,
  createFinisher,
  createSubmitter,
  readMargin,
  sumDays,
  sumUsage,
  taskError,
  type UsageGroups,
} from '../src';
import { fundedKey, openBooks, type Payer, submission } from './books';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DAYS = 4;
const HOURS = [4, 3, 1];
const ZONE = 'Asia/Kathmandu';
/** The hours by which the days of some zones begin earlier or later than those of UTC. */
const OFFSETS = [0, -5.75, 8];
const VENDORS = new Map([
  ['main', 'one'],
  ['other', 'two'],
]);

const books = forAllTests(() => openBooks(8));

/** A task of the last days. */
interface Example {
  /** When it is submitted, as a share of the time from the first day until now. */
  at: number;
  /** How far the clock that made its id is off. */
  skewMinutes: number;
  /** From its submission to its end. */
  tookMinutes: number;
  payer: number;
  model: 'a' | 'b';
  channel: 'main' | 'other' | undefined;
  outcome: 'completed' | 'failed';
  /** Ends while others are summed up. */
  endsLate: boolean;
  charge: number;
  cost: number | undefined;
  /** Changes afterwards, in any order with the summing up. */
  changes: ('refund' | 'late' | 'resolve')[];
}

const example: fc.Arbitrary<Example> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  skewMinutes: fc.integer({ min: -59, max: 59 }),
  tookMinutes: fc.integer({ min: 0, max: 50 }),
  payer: fc.integer({ min: 0, max: 2 }),
  model: fc.constantFrom('a', 'b'),
  channel: fc.constantFrom('main', 'other', undefined),
  outcome: fc.constantFrom('completed', 'completed', 'failed'),
  endsLate: fc.boolean(),
  charge: fc.integer({ min: 1, max: 100 }),
  cost: fc.option(fc.integer({ min: 0, max: 200 }), { nil: undefined }),
  changes: fc.subarray(['refund', 'late', 'resolve']),
});

const firstDay = () => new Date((Math.floor(Date.now() / DAY_MS) - DAYS) * DAY_MS);

async function moveBack(taskId: TaskId, createdAt: Date, resolvedAt: Date | null): Promise<void> {
  const ended = resolvedAt === null ? '' : `, resolved_at = '${resolvedAt.toISOString()}'`;
  await withoutGuards(
    books.database,
    `update reservations set created_at = '${createdAt.toISOString()}'${ended} where task_id = '${taskId}'`,
    `update ledger_entries l set created_at = r.resolved_at from reservations r
      where r.task_id = '${taskId}' and l.task_id = r.task_id and l.kind = 'settle'`,
  );
}

interface Played {
  taskId: TaskId;
  accountId: string;
  createdAt: Date;
  example: Example;
}

async function play(payers: readonly Payer[], examples: readonly Example[]): Promise<Played[]> {
  const from = firstDay().getTime();
  const played = examples.map((each): Played => {
    const createdAt = new Date(Math.floor(from + each.at * (Date.now() - from)));
    const taskId = newTaskId(createdAt.getTime() + each.skewMinutes * MINUTE_MS);
    const { accountId } = payers[each.payer] as Payer;
    return { taskId, accountId, createdAt, example: each };
  });
  const submit = createSubmitter(books.database);
  await Promise.all(
    played.map(({ taskId, example: { payer, model } }) =>
      submit(submission(payers[payer] as Payer, payer === 2 ? 0n : 100n, { taskId, model })),
    ),
  );
  for (const { taskId, createdAt } of played) await moveBack(taskId, createdAt, null);
  await Promise.all(played.filter((each) => !each.example.endsLate).map(end));
  return played;
}

async function end({ taskId, accountId, createdAt, example: each }: Played): Promise<void> {
  const call = { protocol: 'p', state: 'unknown', beganAt: 0, endedAt: 1 } as const;
  const cost = each.cost === undefined ? {} : { cost: { nano: BigInt(each.cost), origin: 'declared' } as const };
  const calls = each.channel === undefined ? [] : [{ ...call, ...cost, channelId: each.channel }];
  const costNano = each.payer === 2 ? 0n : BigInt(each.charge);
  const units = { per_image: 1_000_000_000n, [`per_second.${each.model}`]: BigInt(each.charge) * 10n ** 17n };
  const completed = { kind: 'completed', costNano, units, result: {} } as const;
  const failed = { kind: 'failed', error: taskError('upstream_error') } as const;
  const finish = createFinisher(books.database);
  const outcome = each.outcome === 'completed' ? completed : failed;
  await finish({ taskId, accountId, fence: 'any', outcome, calls });
  if (!each.endsLate) await moveBack(taskId, createdAt, new Date(createdAt.getTime() + each.tookMinutes * MINUTE_MS));
}

async function change({ taskId, example: each }: Played, what: Example['changes'][number]): Promise<void> {
  const { database } = books;
  const isCharged = each.outcome === 'completed' && each.payer !== 2;
  if (what === 'refund') {
    if (isCharged) await database.refundTask({ taskId, amountNano: 1n, note: 'test' }, { actor: 'test' });
    return;
  }
  const attempt = await database.taskAttempt.findFirst({ where: { taskId } });
  if (attempt === null) return;
  const cost = { nano: BigInt(each.charge) + 7n, origin: 'reported' } as const;
  const late = { usage: undefined, cost, externalId: undefined, detail: 'test' };
  if (what === 'late') await database.recordLateOutcome(attempt.id, late);
  else await database.resolveAttempt(attempt.id, { resolution: 'paid', costNano: 3n }, { actor: 'test' });
}

const sumSome = (limit: number) => sumDays(books.database, { limit });

/** A reconciler that dies before it has committed. */
async function sumAndDie(limit: number): Promise<void> {
  const died = new Error('died');
  const dying = holdTransaction(books.database, async (transaction) => {
    await transaction.$queryRawUnsafe(`select * from sum_reservations('task_z', ${limit})`);
    throw died;
  });
  await expect(dying).rejects.toBe(died);
}

/** As the runbook does. */
async function forgetSums(): Promise<void> {
  const deleted = 'with days as (delete from usage_days), units as (delete from usage_units)';
  await runSql(books.database, `${deleted} update usage_progress set summed_to = '', newest_at = null`);
}

async function sumAll(): Promise<void> {
  while ((await sumSome(1000)).more);
}

interface Row {
  day: string;
  account: string;
  key: string;
  family: string | null;
  model: string | null;
  channel: string | null;
  vendor: string | null;
  sums: [
    tasks: bigint,
    completed: bigint,
    failed: bigint,
    charged: bigint,
    refunded: bigint,
    cost: bigint,
    unknown: bigint,
  ];
}

/** Task by task, as all reports were made before there were sums. */
async function rowsOf(from: Date, to: Date, timeZone = 'UTC'): Promise<Row[]> {
  const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone });
  const reservations = await books.database.reservation.findMany({
    where: { isTest: false, createdAt: { gte: from, lt: to } },
  });
  const refunds = await books.database.ledgerEntry.findMany({ where: { kind: 'adjust', taskId: { not: null } } });
  const refunded = new Map(refunds.map(({ taskId, amountNano }) => [taskId, amountNano]));
  return reservations.map((each) => ({
    day: dayOf.format(each.createdAt),
    account: each.accountId,
    key: each.keyId,
    family: each.family,
    model: each.model,
    channel: each.channelId,
    vendor: VENDORS.get(each.channelId ?? '') ?? null,
    sums: [
      1n,
      each.state === 'settled' ? 1n : 0n,
      each.state === 'refunded' ? 1n : 0n,
      each.settledNano ?? 0n,
      refunded.get(each.taskId) ?? 0n,
      each.costNano ?? 0n,
      each.state !== 'held' && each.costNano === null ? 1n : 0n,
    ],
  }));
}

function grouped(rows: readonly Row[], groups: readonly MarginGroup[], sums: number): Map<string, bigint[]> {
  const found = new Map<string, bigint[]>();
  for (const row of rows) {
    const name = JSON.stringify(groups.map((group) => row[group]));
    const before = found.get(name) ?? Array.from({ length: sums }, () => 0n);
    found.set(
      name,
      before.map((sum, index) => sum + (row.sums[index] ?? 0n)),
    );
  }
  return found;
}

async function marginOf(
  from: Date,
  to: Date,
  groupBy: readonly MarginGroup[],
  timezone?: string,
): Promise<Map<string, bigint[]>> {
  const report = await readMargin(books.database, { from, to, groupBy, vendors: VENDORS, timezone });
  if (report.kind !== 'report') throw new Error(report.kind);
  return new Map(
    report.rows.map(({ values, tasks, completed, failed, chargedNano, refundedNano, costNano, costUnknown }) => [
      JSON.stringify(values),
      [BigInt(tasks), BigInt(completed), BigInt(failed), chargedNano, refundedNano, costNano, BigInt(costUnknown)],
    ]),
  );
}

const CALLERS_GROUPS = ['day', 'model', 'key', 'family'] as const;

async function usageOf(accountId: string, from: Date, to: Date, groups: UsageGroups): Promise<Map<string, bigint[]>> {
  const query = { accountId, ownKeyId: null, from, to, groups, limit: 1000 };
  const rows = await sumUsage(books.database, query, { withinMs: 10_000 });
  return new Map(
    (rows ?? []).map((row) => [
      JSON.stringify(CALLERS_GROUPS.filter((group) => groups[group]).map((group) => row[group])),
      [row.tasks, row.completed, row.failed, row.chargedNano],
    ]),
  );
}

async function expectSameReports({ accountId }: Payer, times: readonly [number, number][]): Promise<void> {
  const start = firstDay().getTime();
  for (const [one, other] of [...times, [0, DAYS + 2] as const]) {
    const [from, to] = [Math.min(one, other), Math.max(one, other) + 0.01].map(
      (days) => new Date(start + days * DAY_MS),
    ) as [Date, Date];
    const rows = await rowsOf(from, to);
    for (const groups of [['day'], ['vendor', 'channel', 'account'], MARGIN_GROUPS] as const) {
      expect(await marginOf(from, to, groups)).toEqual(grouped(rows, groups, 7));
    }
    const ofZone = await rowsOf(from, to, ZONE);
    expect(await marginOf(from, to, MARGIN_GROUPS, ZONE)).toEqual(grouped(ofZone, MARGIN_GROUPS, 7));
    expect(await marginOf(from, to, ['model'], ZONE)).toEqual(grouped(ofZone, ['model'], 7));
    const own = rows.filter(({ account }) => account === accountId);
    for (const asked of [[], ['day', 'model'], CALLERS_GROUPS] as const) {
      const groups = Object.fromEntries(CALLERS_GROUPS.map((group) => [group, asked.some((name) => name === group)]));
      const found = await usageOf(accountId, from, to, {
        ...(groups as Record<(typeof CALLERS_GROUPS)[number], boolean>),
        metadata: [],
      });
      expect(found).toEqual(grouped(own, asked, 4));
    }
  }
}

/** Compares the invoices of each day and of all days, as zones have them, with the ledger. */
async function expectSameInvoices({ accountId }: Payer): Promise<void> {
  const spans = Array.from({ length: DAYS + 1 }, (_, day) => [day, day + 1] as const);
  for (const hours of OFFSETS) {
    const midnight = (day: number) => new Date(firstDay().getTime() + day * DAY_MS + hours * 60 * MINUTE_MS);
    for (const [first, end] of [...spans, [0, DAYS + 2] as const]) {
      const [from, to] = [midnight(first), midnight(end)];
      const [row] = await books.database.readInvoice({ accountId, from, to });
      expect(row).toEqual(await invoiceOf(accountId, from, to));
    }
  }
}

/** Entry by entry, as the ledger has it. */
async function invoiceOf(accountId: string, from: Date, to: Date) {
  const entries = await books.database.ledgerEntry.findMany({ where: { accountId, createdAt: { lt: to } } });
  const settled = await books.database.reservation.findMany({
    where: { accountId, state: 'settled', resolvedAt: { gte: from, lt: to } },
  });
  const sum = (kinds: string[], within: boolean, ofTask?: boolean) =>
    entries
      .filter(({ kind, createdAt }) => kinds.includes(kind) && createdAt >= from === within)
      .filter(({ taskId }) => ofTask === undefined || (taskId !== null) === ofTask)
      .reduce((total, { amountNano }) => total + amountNano, 0n);
  const models = [...new Set(settled.map(({ model }) => model))].sort();
  const charges = models.map((model) => {
    const own = settled.filter((each) => each.model === model);
    const units = new Map<string, bigint>();
    for (const { units: each } of own) {
      for (const [unit, quantity] of Object.entries((each ?? {}) as Record<string, string>)) {
        units.set(unit, (units.get(unit) ?? 0n) + BigInt(quantity));
      }
    }
    const charged = own.reduce((total, { settledNano }) => total + (settledNano ?? 0n), 0n);
    const quantities = Object.fromEntries([...units].map(([unit, quantity]) => [unit, String(quantity)]));
    return { model, tasks: String(own.length), charged: String(charged), units: quantities };
  });
  const charged = charges.reduce((total, each) => total + BigInt(each.charged), 0n);
  expect(charged).toBe(sum(['settle'], true));
  return {
    openingNano: sum(['top_up', 'adjust'], false) - sum(['settle'], false),
    isFinal: Date.now() > to.getTime() + 600_000,
    paymentsNano: sum(['top_up'], true),
    adjustmentsNano: sum(['adjust'], true, false),
    refundsNano: sum(['adjust'], true, true),
    charges,
  };
}

async function expectCleanSums(): Promise<void> {
  const violations = await audit(books.database);
  expect(violations.filter(({ invariant }) => !invariant.startsWith('liveness'))).toEqual([]);
}

const time = fc.oneof(fc.integer({ min: 0, max: DAYS + 1 }), fc.double({ min: 0, max: DAYS + 1, noNaN: true }));

describe('sums of days', () => {
  it('go on behind a task once it has ended, and not before; what is young is in none', async () => {
    const payer = await fundedKey(books.database, 1000n);
    const hoursAgo = (hours: number) => Date.now() - hours * 60 * MINUTE_MS;
    const [open, behind, young] = HOURS.map((hours) => submission(payer, 10n, { taskId: newTaskId(hoursAgo(hours)) }));
    const submit = createSubmitter(books.database);
    for (const [index, item] of [open, behind, young].entries()) {
      await submit(item as Parameters<typeof submit>[0]);
      await moveBack(item?.taskId as TaskId, new Date(hoursAgo(HOURS[index] as number)), null);
    }
    const finish = createFinisher(books.database);
    const complete = (item: typeof open) =>
      finish({
        taskId: item?.taskId as TaskId,
        accountId: payer.accountId,
        fence: 'any',
        outcome: { kind: 'completed', costNano: 1n, result: {} },
      });
    await Promise.all([complete(behind), complete(young)]);
    expect(await sumSome(10)).toEqual({ done: 0, more: false });
    await complete(open);
    expect(await sumSome(10)).toEqual({ done: 2, more: false });
    const [progress] = await runSql<{ summed_to: string }>(books.database, 'select summed_to from usage_progress');
    expect(progress?.summed_to).toBe(behind?.taskId);
  });

  it('leave every report and invoice as it was, whatever ends and changes while they are made, by whomever, and whoever dies', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(example, { minLength: 10, maxLength: 40 }),
        fc.array(fc.tuple(time, time), { minLength: 2, maxLength: 2 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 4, maxLength: 10 }),
        async (examples, times, limits) => {
          await forgetSums();
          const [first, second] = [
            await fundedKey(books.database, 1_000_000n),
            await fundedKey(books.database, 1_000_000n),
          ];
          const payers = [first, second, await fundedKey(books.database, 0n, { isTest: true })];
          const played = await play(payers, examples);
          const changes = played.map((each) => async () => {
            if (each.example.endsLate) await end(each);
            for (const what of each.example.changes) await change(each, what);
          });
          const runs = limits.map((limit, index) => async () => {
            await (index % 3 === 2 ? sumAndDie(limit) : sumSome(limit));
          });
          const [before, during] = [changes.slice(0, 5), changes.slice(5)];
          await Promise.all([...before.map((work) => work()), ...runs.slice(0, 2).map((work) => work())]);
          await expectSameReports(first, times);
          await Promise.all(interleaved(during, runs.slice(2)).map((work) => work()));
          await expectSameReports(first, times);
          await expectSameInvoices(first);
          await sumAll();
          await expectSameReports(first, times);
          await expectSameInvoices(first);
          await expectCleanSums();
        },
      ),
      { numRuns: 4, endOnFailure: true },
    );
  });

  it('can be made anew, as the runbook does', async () => {
    const rows = () =>
      books.database.usageDay.findMany({
        omit: { id: true },
        orderBy: [{ accountId: 'asc' }, { day: 'asc' }, { model: 'asc' }, { channelId: 'asc' }, { endedOn: 'asc' }],
      });
    const before = await rows();
    expect(before.length).toBeGreaterThan(0);
    await forgetSums();
    while ((await sumSome(25)).more);
    expect(await rows()).toEqual(before);
    await expectCleanSums();
  });
});

function interleaved<T>(left: readonly T[], right: readonly T[]): T[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [left[index], right[index]])
    .flat()
    .filter((each) => each !== undefined);
}
