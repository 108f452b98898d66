import type { TaskId } from '@mediagate/contracts';
import { type ClosedMonthRow, openDatabase } from '@mediagate/database';
import { countBlocked, holdTransaction, PATIENCE, runSql, until, withoutGuards } from '@mediagate/testkit';
import fc from 'fast-check';
import {
  audit,
  BookingsRemovedError,
  closeNextMonth,
  listLedger,
  type MarginRequest,
  type Month,
  monthIn,
  parseMonth,
  pruneBooks,
  readCharge,
  readInvoice,
  readMargin,
  sumUsage,
  topUp,
  type UsageQuery,
} from '../src';
import { type Books, fundedKey, openBooks, type Payer, standing } from './books';
import { auditRecent, breakBooks, namesIn, repairOf } from './broken-books';
import {
  auditUntilSealed,
  closeAll,
  createCalendar,
  endAt,
  forgetTasks,
  monthName,
  moveTo,
  submitAt,
} from './closed-months';

/** Months are closed a day after their end at the earliest, and the first of a month is a day, too. */
const NEWEST = 2;
const OLDEST = 4;
/** Prunes the months of four and of three months ago. */
const RETENTION_MONTHS = 2;
/** A zone whose days are none of UTC. */
const ZONE = { timezone: 'Asia/Shanghai' };

let books: Books;
let calendar: (monthsAgo: number) => Date;
beforeEach(async () => {
  books = await openBooks(6);
  calendar = createCalendar();
});
afterEach(() => books.close());

async function violations(): Promise<string[]> {
  return namesIn({ violations: await audit(books.database) });
}

async function expectClean(): Promise<void> {
  expect(await audit(books.database)).toEqual([]);
  expect((await auditRecent(books)).violations).toEqual([]);
}

/** A statement of another process waits for a lock. */
const untilOneWaits = () => until(async () => (await countBlocked(books.database)) > 0, 'a statement waits');

const prune = (database = books.database, maxEntries = 3) =>
  pruneBooks(database, { retentionMonths: RETENTION_MONTHS, maxEntries });

/** Prunes all months that can be pruned. Returns how many entries went. */
async function pruneAll(): Promise<number> {
  let removed = 0;
  for (;;) {
    const step = await prune();
    if (step.kind !== 'removed') return removed;
    removed += step.entries;
  }
}

/** Moments so many seconds after the end of the month so many months ago. */
function createClock(monthsAgo: number): (seconds: number) => Date {
  const { to } = parseMonth(monthName(calendar(monthsAgo))) as Month;
  return (seconds) => new Date(to.getTime() + seconds * 1000);
}

/** A payment and a completed task, four months ago. */
async function oldTask(): Promise<{ payer: Payer; taskId: TaskId }> {
  const payer = await fundedKey(books.database, 10_000n);
  await moveTo(books.database, calendar(OLDEST));
  const taskId = await submitAt(books.database, payer, calendar(OLDEST));
  await endAt(books.database, { taskId, accountId: payer.accountId, at: calendar(OLDEST), chargeNano: 40n });
  return { payer, taskId };
}

const bookingOf = fc.oneof(
  fc.record({ kind: fc.constant('pay' as const), payer: fc.nat(1), amount: fc.integer({ min: 1, max: 50 }) }),
  fc.record({
    kind: fc.constant('task' as const),
    payer: fc.nat(1),
    /** Undefined: it fails. */
    charge: fc.option(fc.integer({ min: 0, max: 120 }), { nil: undefined }),
    endsLater: fc.boolean(),
    refund: fc.option(fc.nat(2), { nil: undefined }),
  }),
);
type Booking = typeof bookingOf extends fc.Arbitrary<infer Value> ? Value : never;

interface ToRefund {
  taskId: TaskId;
  inMonths: number;
}

/** Books a month. Tasks that end later end in the next month, and some are refunded by hand up to two months later. */
async function playMonth(
  bookings: readonly Booking[],
  { monthsAgo, payers, toRefund }: { monthsAgo: number; payers: readonly Payer[]; toRefund: ToRefund[] },
): Promise<(() => Promise<void>)[]> {
  const { database } = books;
  const later: (() => Promise<void>)[] = [];
  for (const each of bookings) {
    const payer = payers[each.payer] as Payer;
    const { accountId } = payer;
    if (each.kind === 'pay') {
      await topUp(database, { accountId, amountNano: BigInt(each.amount) });
      await moveTo(database, calendar(monthsAgo));
      continue;
    }
    const taskId = await submitAt(database, payer, calendar(monthsAgo));
    const chargeNano = each.charge === undefined ? undefined : BigInt(each.charge);
    const end = (month: number) => endAt(database, { taskId, accountId, at: calendar(month), chargeNano });
    if (each.endsLater) later.push(() => end(monthsAgo - 1));
    else await end(monthsAgo);
    if (each.refund !== undefined && each.charge) toRefund.push({ taskId, inMonths: each.refund });
  }
  return later;
}

async function refundDue(toRefund: ToRefund[], monthsAgo: number): Promise<void> {
  for (const each of toRefund) {
    each.inMonths -= 1;
    if (each.inMonths !== -1) continue;
    await books.database.refundTask({ taskId: each.taskId, amountNano: 1n, note: 'test' }, { actor: 'test' });
    await moveTo(books.database, calendar(monthsAgo));
  }
}

/** The standing of accounts, and reports month by month. */
async function everything(payers: readonly Payer[]) {
  const { database } = books;
  const months = Array.from({ length: OLDEST + 1 }, (_, monthsAgo) => calendar(monthsAgo)).map((at) => ({
    name: monthName(at),
    from: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth())),
    to: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)),
  }));
  const range = { from: months.at(-1)?.from ?? new Date(), to: months[0]?.to ?? new Date() };
  return {
    standings: await Promise.all(payers.map(({ accountId }) => standing(database, accountId))),
    invoices: await Promise.all(
      payers.flatMap(({ accountId }) => months.map((month) => readInvoice(database, accountId, month))),
    ),
    margin: await readMargin(database, { ...range, groupBy: ['day', 'account', 'key', 'model'], vendors: new Map() }),
  };
}

/** The sums of a month, entry by entry. */
async function sumsOf(month: string) {
  const [row] = await runSql<Omit<ClosedMonthRow, 'month'>>(
    books.database,
    `select count(*) as entries, coalesce(sum(amount_nano) filter (where kind = 'top_up'), 0)::bigint as "toppedUpNano",
       coalesce(sum(amount_nano) filter (where kind = 'adjust'), 0)::bigint as "adjustedNano",
       coalesce(sum(amount_nano) filter (where kind = 'settle'), 0)::bigint as "chargedNano"
     from ledger_entries where to_char(created_at at time zone 'UTC', 'YYYY-MM') = $1`,
    [month],
  );
  return { month, ...row };
}

describe('closed months', () => {
  it('leave every balance, sum, invoice and report as it was, at each step of closing and of pruning', async () => {
    const months = fc.array(fc.array(bookingOf, { maxLength: 6 }), { minLength: 3, maxLength: 3 });
    const run = async (played: Booking[][], pieceEntries: number) => {
      await books.close();
      books = await openBooks(6);
      const payers = [await fundedKey(books.database, 9000n), await fundedKey(books.database, 9000n)];
      await moveTo(books.database, calendar(OLDEST));
      const toRefund: ToRefund[] = [];
      let later: (() => Promise<void>)[] = [];
      for (const [index, bookings] of played.entries()) {
        const monthsAgo = OLDEST - index;
        for (const end of later) await end();
        later = await playMonth(bookings, { monthsAgo, payers, toRefund });
        await refundDue(toRefund, monthsAgo);
      }
      for (const end of later) await end();
      await forgetTasks(books.database);
      const before = await everything(payers);
      const names = [OLDEST, OLDEST - 1, NEWEST].map((monthsAgo) => monthName(calendar(monthsAgo)));
      const sums = await Promise.all(names.map(sumsOf));

      const closed = await closeAll(books.database, pieceEntries);
      expect(closed.last).toMatchObject({ kind: 'waits', obstacle: 'too_early' });
      expect((await books.database.listClosedMonths()).slice(0, names.length)).toMatchObject(sums);
      await expectClean();
      expect(await everything(payers)).toEqual(before);
      for (let isOver = false; !isOver; ) {
        isOver = (await prune(books.database, pieceEntries)).kind !== 'removed';
        await expectClean();
      }
      expect(await everything(payers)).toEqual(before);
      expect((await books.database.listClosedMonths()).slice(0, names.length)).toMatchObject(sums);
      // Money goes on from there.
      const taskId = await submitAt(books.database, payers[0] as Payer, new Date());
      await endAt(books.database, { taskId, accountId: payers[0]?.accountId ?? '', at: new Date(), chargeNano: 5n });
      await expectClean();
    };
    await fc.assert(fc.asyncProperty(months, fc.integer({ min: 1, max: 9 }), run), { numRuns: 6 });
  });

  it('removes what the tasks of a month left, but payments and what was refunded by hand', async () => {
    const { payer, taskId } = await oldTask();
    const refunded = await submitAt(books.database, payer, calendar(OLDEST));
    await endAt(books.database, { taskId: refunded, accountId: payer.accountId, at: calendar(OLDEST), chargeNano: 7n });
    await forgetTasks(books.database);
    await closeAll(books.database);
    // A refund of a task of a closed month is booked now.
    const refund = { taskId: refunded, note: 'late' };
    expect(await books.database.refundTask(refund, { actor: 'test' })).toMatchObject({ kind: 'changed' });
    expect(await pruneAll()).toBe(2);
    const left = await books.database.ledgerEntry.findMany({ orderBy: { id: 'asc' } });
    expect(left.map(({ kind, taskId: of }) => [kind, of])).toEqual([
      ['top_up', null],
      ['hold', refunded],
      ['settle', refunded],
      ['adjust', refunded],
    ]);
    expect((await books.database.reservation.findMany()).map((row) => row.taskId)).toEqual([refunded]);
    await expectClean();
    expect(await books.database.refundTask(refund, { actor: 'test' })).toEqual({ kind: 'duplicate' });
    expect(await books.database.refundTask({ ...refund, taskId }, { actor: 'test' })).toEqual({ kind: 'unchanged' });
    expect(await readCharge(books.database, taskId)).toBeUndefined();
    await expectClean();
  });

  it('gives a refund by hand that meets the removal of its task either both, or neither', async () => {
    const { taskId } = await oldTask();
    await forgetTasks(books.database);
    await closeAll(books.database);
    let refunding: Promise<unknown> = Promise.resolve();
    await holdTransaction(books.database, async (transaction) => {
      await transaction.$queryRawUnsafe(`select * from prune_books(${RETENTION_MONTHS}, 1000)`);
      refunding = books.database.refundTask({ taskId, note: 'now' }, { actor: 'test' });
      await untilOneWaits();
    });
    expect(await refunding).toEqual({ kind: 'unchanged' });
    await expectClean();
  });

  it('wait for each other, for tasks that are open, and for the audit', async () => {
    const { payer } = await oldTask();
    expect(await closeNextMonth(books.database)).toMatchObject({ kind: 'waits', obstacle: 'not_audited' });
    const open = await submitAt(books.database, payer, calendar(OLDEST));
    expect((await closeAll(books.database)).last).toMatchObject({ kind: 'waits', obstacle: 'tasks_open' });
    await endAt(books.database, { taskId: open, accountId: payer.accountId, at: calendar(NEWEST), chargeNano: 3n });
    await withoutGuards(books.database, `update api_keys set settled_nano = settled_nano + 1`);
    expect((await closeAll(books.database)).last).toMatchObject({ kind: 'waits', obstacle: 'faults_found' });
    await withoutGuards(books.database, `update api_keys set settled_nano = settled_nano - 1`);
    const { last, digests } = await closeAll(books.database);
    expect(last).toMatchObject({ kind: 'waits', obstacle: 'too_early' });
    expect(digests.length).toBeGreaterThanOrEqual(OLDEST - 1);
    expect((await books.database.listClosedMonths())[0]?.month).toBe(monthName(calendar(OLDEST)));
    await expectClean();
  });

  it('are left alone while records of tasks are there, or a day has no sum', async () => {
    const { taskId } = await oldTask();
    expect(await prune()).toEqual({ kind: 'none' });
    await closeAll(books.database);
    const waits = { kind: 'waits', month: monthName(calendar(OLDEST)), taskId };
    expect(await prune()).toEqual({ ...waits, obstacle: 'tasks_kept' });
    expect(await books.database.pruneTasks(86_400_000, 10)).toHaveLength(1);
    expect(await prune()).toEqual({ ...waits, obstacle: 'not_summed' });
    await forgetTasks(books.database);
    expect(await pruneAll()).toBe(2);
    expect(await prune()).toEqual({ kind: 'none' });
    await expectClean();
  });

  it('are left alone for a task that was booked just after their end, under an id of a clock that is an hour fast', async () => {
    const { payer } = await oldTask();
    const { accountId } = payer;
    await forgetTasks(books.database);
    const afterMidnight = createClock(OLDEST);
    const taskId = await submitAt(books.database, payer, afterMidnight(2), afterMidnight(3601));
    await endAt(books.database, { taskId, accountId, at: afterMidnight(3), chargeNano: 9n });
    // Its transaction began before midnight, and drew a later id.
    await topUp(books.database, { accountId, amountNano: 11n });
    await moveTo(books.database, afterMidnight(-1));
    await closeAll(books.database);
    expect(await prune()).toMatchObject({ kind: 'waits', obstacle: 'tasks_kept', taskId });
    expect(await books.database.pruneTasks(86_400_000, 10)).toHaveLength(1);
    expect(await prune()).toMatchObject({ kind: 'waits', obstacle: 'not_summed', taskId });
    await forgetTasks(books.database);
    expect(await pruneAll()).toBe(4);
    await expectClean();
  });

  it('are gone on with by a process that waited while another one took a step', async () => {
    await oldTask();
    await auditUntilSealed(books.database);
    const month = monthName(calendar(OLDEST));
    expect(await closeNextMonth(books.database)).toEqual({ kind: 'begun', month });
    const { step } = await holdTransaction(books.database, async (transaction) => {
      await transaction.$queryRawUnsafe(
        'update closed_months set sealed_to = 1, piece_ends = array[1], piece_digests = array[entries_digest(0, 1)]',
      );
      const waiting = closeNextMonth(books.database, { upTo: month });
      await untilOneWaits();
      return { step: waiting };
    });
    expect(await step).toEqual({ kind: 'begun', month });
  });

  it('survive a process that dies at any step: another one goes on, and neither seals nor removes anything twice', async () => {
    const { payer } = await oldTask();
    for (let count = 0; count < 4; count += 1) {
      const taskId = await submitAt(books.database, payer, calendar(OLDEST));
      await endAt(books.database, { taskId, accountId: payer.accountId, at: calendar(OLDEST), chargeNano: 10n });
    }
    await forgetTasks(books.database);
    await auditUntilSealed(books.database);
    const sums = await sumsOf(monthName(calendar(OLDEST)));
    const other = openDatabase({
      url: books.databaseUrl,
      poolSize: 1,
      ...PATIENCE,
      applicationName: 'other',
    });
    for (let isOver = false; !isOver; ) {
      const steps = await Promise.all([books.database, other].map((each) => closeNextMonth(each, { pieceEntries: 2 })));
      isOver = steps.some(({ kind }) => kind === 'waits');
      await expectClean();
    }
    expect((await books.database.listClosedMonths())[0]).toMatchObject(sums);
    const died = new Error('died');
    const dying = holdTransaction(other, async (transaction) => {
      await transaction.$queryRawUnsafe(`select * from prune_books(${RETENTION_MONTHS}, 1000)`);
      throw died;
    });
    await expect(dying).rejects.toBe(died);
    await expectClean();
    let removed = 0;
    for (let isOver = false; !isOver; ) {
      const steps = await Promise.all([books.database, other].map((each) => prune(each)));
      for (const step of steps) if (step.kind === 'removed') removed += step.entries;
      isOver = steps.every(({ kind }) => kind !== 'removed');
      await expectClean();
    }
    expect(removed).toBe(10);
    await other.close();
  });

  it.each([
    [
      'an entry is changed',
      `update ledger_entries set amount_nano = amount_nano + 1 where kind = 'top_up'`,
      'its entries',
    ],
    [
      'an entry is added under an old id',
      `insert into ledger_entries (id, account_id, kind, amount_nano, note) overriding system value select 1, id, 'adjust', 0, 'x' from accounts`,
      'its entries',
    ],
    ['a note is changed', `update ledger_entries set note = 'another'`, 'its entries'],
    ['a sum is changed', 'update month_seals set settled_nano = settled_nano + 1', 'its digest'],
    [
      'a month is removed',
      'delete from closed_months where month = (select min(month) from closed_months)',
      'its digest',
    ],
    ['entries are removed', `delete from ledger_entries where kind in ('hold', 'settle')`, 'its entries'],
  ])('show it where %s', async (_, sql, named) => {
    // An id that was drawn and not used, as of a submission that was refused.
    await runSql(books.database, `select nextval(pg_get_serial_sequence('ledger_entries', 'id'))`);
    await oldTask();
    await closeAll(books.database);
    await expectClean();
    await withoutGuards(books.database, sql);
    const found = await violations();
    expect(found.filter((name) => name.startsWith(`closed month: ${named}`))).not.toEqual([]);
    if (named === 'its digest') expect(found).toEqual(expect.arrayContaining(namesIn(await auditRecent(books))));
  });

  it('are followed back to the first by the audit of the whole books, and the newest alone by the clock', async () => {
    await oldTask();
    await closeAll(books.database);
    const [first, ...others] = (await books.database.listClosedMonths()).map(({ month }) => month);
    const newest = others.at(-1);
    const tamper = (month?: string) =>
      withoutGuards(
        books.database,
        `update closed_months set piece_ends = array[0], piece_digests = array['x'::bytea] where month = '${month}-01'`,
      );
    await tamper(first);
    const byClock = async () => (await auditRecent(books)).violations.map(({ subject }) => subject);
    expect(await byClock()).toEqual([]);
    const ofDigests = async () => (await audit(books.database)).filter(({ invariant }) => invariant.includes('digest'));
    expect(await ofDigests()).toMatchObject([{ subject: first }]);
    await tamper(newest);
    expect(await byClock()).toEqual([newest]);
    expect((await ofDigests()).map(({ subject }) => subject).sort()).toEqual([first, newest]);
  });

  it('take nothing in afterwards: an entry with an old time is the next month’s, one with a removed id is found', async () => {
    const { payer, taskId } = await oldTask();
    await forgetTasks(books.database);
    const before = await closeAll(books.database);
    await topUp(books.database, { accountId: payer.accountId, amountNano: 11n });
    await moveTo(books.database, calendar(OLDEST));
    const after = await closeAll(books.database);
    expect([after.last, after.digests]).toEqual([before.last, []]);
    await expectClean();
    await pruneAll();
    await expectClean();
    await withoutGuards(
      books.database,
      `insert into ledger_entries (id, account_id, key_id, task_id, kind, amount_nano) select id + 1, account_id, '${payer.keyId}', '${taskId}', 'hold', 1
        from ledger_entries order by id limit 1`,
    );
    expect(await violations()).toEqual(['closed month: removed entries stay removed']);
  });

  it('refuse reports of days that sums of UTC do not have, once single bookings are removed, and answer all others', async () => {
    const { payer } = await oldTask();
    await forgetTasks(books.database);
    const { accountId } = payer;
    const at = calendar(OLDEST);
    const month = parseMonth(monthName(at)) as Month;
    const inZone = monthIn(month, 'Asia/Shanghai');
    const query = { accountId, ownKeyId: null, from: month.from, to: month.to, limit: 10 };
    const byDay = { day: true, model: false, key: false, family: false, metadata: [] };
    const usage = (more: Partial<UsageQuery>) =>
      sumUsage(books.database, { ...query, groups: byDay, ...more }, { withinMs: 60_000 });
    const margin = (more: Partial<MarginRequest>) =>
      readMargin(books.database, { ...query, groupBy: ['day'], vendors: new Map(), ...more });
    const cut = { from: new Date(month.from.getTime() + 1) };
    const answered = [usage({}), usage({ timezone: 'UTC' }), margin({}), readInvoice(books.database, accountId, month)];
    const needing = [
      () => usage({ timezone: 'Asia/Shanghai' }),
      () => usage({ groups: { ...byDay, metadata: ['project'] } }),
      () => usage(cut),
      () => margin(cut),
      () => margin({ to: new Date(month.to.getTime() - 1) }),
      () => margin({ timezone: 'Asia/Shanghai' }),
      () => readInvoice(books.database, accountId, inZone),
    ];
    const before = await Promise.all(answered);
    await Promise.all(needing.map((read) => read()));
    expect((await listLedger(books.database, { accountId, ownKeyId: null }, { limit: 9 })).keptSince).toBeUndefined();
    await closeAll(books.database);
    await pruneAll();
    const again = [usage({}), usage({ timezone: 'UTC' }), margin({}), readInvoice(books.database, accountId, month)];
    expect(await Promise.all(again)).toEqual(before);
    for (const read of needing) await expect(read()).rejects.toThrow(BookingsRemovedError);
    const { rows, keptSince } = await listLedger(books.database, { accountId, ownKeyId: null }, { limit: 9 });
    expect(rows.map(({ kind }) => kind)).toEqual(['top_up']);
    expect(keptSince).toEqual(new Date(month.to.getTime() + 86_400_000));
    const since = { from: keptSince ?? month.to, to: new Date() };
    expect(await usage({ ...since, timezone: 'Asia/Shanghai' })).toEqual([]);
    expect(await margin({ ...since, timezone: 'Asia/Shanghai' })).toMatchObject({ kind: 'report', rows: [] });
  });

  it('keep bookings complete from a day after their end on: those just after midnight may be of the month before', async () => {
    const { payer } = await oldTask();
    const { accountId } = payer;
    const afterMidnight = createClock(OLDEST);
    const midnight = afterMidnight(0);
    const taskId = await submitAt(books.database, payer, afterMidnight(1));
    await endAt(books.database, { taskId, accountId, at: afterMidnight(2), chargeNano: 9n });
    // Its transaction began before midnight, and drew a later id.
    await topUp(books.database, { accountId, amountNano: 11n });
    await moveTo(books.database, afterMidnight(-1));
    await forgetTasks(books.database);
    const margin = (from: Date) =>
      readMargin(books.database, { ...ZONE, from, to: new Date(), groupBy: ['day'], vendors: new Map() });
    expect(await margin(midnight)).toMatchObject({ total: { chargedNano: 9n } });
    await closeAll(books.database);
    expect(await pruneAll()).toBe(4);
    await expectClean();
    await expect(margin(midnight)).rejects.toThrow(BookingsRemovedError);
    const { keptSince = midnight } = await listLedger(books.database, { accountId, ownKeyId: null }, { limit: 9 });
    expect(keptSince).toEqual(afterMidnight(86_400));
    expect(await margin(keptSince)).toMatchObject({ rows: [] });
  });

  it.each(['margin', 'usage', 'invoice', 'ledger'] as const)(
    'show it where bookings are removed while a report reads them: %s',
    async (report) => {
      const { payer } = await oldTask();
      await forgetTasks(books.database);
      await closeAll(books.database);
      const { database } = books;
      const [who, month] = [{ ...payer, ownKeyId: null }, parseMonth(monthName(calendar(OLDEST))) as Month];
      const query = { ...who, ...ZONE, from: month.from, to: month.to, limit: 9 };
      const groups = { day: true, model: false, key: false, family: false, metadata: [] };
      const removingBefore = new Proxy(database, {
        get: (_, name: 'sumMargin' | 'sumUsageOfEach' | 'readInvoice' | 'listLedger' | 'readKeptSince') =>
          name === 'readKeptSince'
            ? database[name]
            : (...given: never[]) => pruneAll().then(() => (database[name] as (...of: never[]) => unknown)(...given)),
      });
      const read = {
        margin: () => readMargin(removingBefore, { ...query, groupBy: ['day'], vendors: new Map() }),
        usage: () => sumUsage(removingBefore, { ...query, groups }, { withinMs: 60_000 }),
        invoice: () => readInvoice(removingBefore, payer.accountId, monthIn(month, ZONE.timezone)),
        ledger: () => listLedger(removingBefore, who, { limit: 9 }),
      }[report];
      if (report === 'ledger')
        expect(await read()).toHaveProperty('keptSince', new Date(month.to.getTime() + 86_400_000));
      else await expect(read()).rejects.toThrow(BookingsRemovedError);
    },
  );

  it('count in the repair of the runbook, which adds up sums of accounts and keys anew', async () => {
    const { payer } = await oldTask();
    await forgetTasks(books.database);
    await closeAll(books.database);
    await pruneAll();
    const taskId = await submitAt(books.database, payer, new Date());
    await endAt(books.database, { taskId, accountId: payer.accountId, at: new Date(), chargeNano: 5n });
    await breakBooks(books, 'with a as (update accounts set settled_nano = 3) update api_keys set settled_nano = 2');
    expect((await violations()).length).toBeGreaterThan(1);
    for (const statement of repairOf(payer.accountId)) await runSql(books.database, statement);
    await expectClean();
    expect((await standing(books.database, payer.accountId)).settled).toBe(45n);
  });

  it('are all that entries can be removed of', async () => {
    const { payer } = await oldTask();
    const remove = (where: string) => runSql(books.database, `delete from ledger_entries where ${where}`);
    await expect(remove(`kind = 'settle'`)).rejects.toThrow('append-only');
    await closeAll(books.database);
    await submitAt(books.database, payer, new Date());
    await expect(remove(`kind = 'top_up'`)).rejects.toThrow('append-only');
    await expect(remove(`kind = 'hold'`)).rejects.toThrow('append-only');
  });
});
