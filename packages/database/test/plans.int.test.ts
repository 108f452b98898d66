import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenTestDatabase, openTestDatabase, runSql } from '@mediagate/testkit';
import type { Database, DueDeliveryRow } from '../src';
import { STATEMENTS } from '../src/statements';

/** Statements that look up rows by given ids. */
const BY_ID: (keyof typeof STATEMENTS)[] = [
  'claimTasks',
  'findChangedTasks',
  'findEarlyDelivery',
  'findEarlyTasks',
  'markTasksEnqueued',
  'renewTaskLeases',
  'recallTask',
  'returnTaskClaim',
  'beginAttempts',
  'saveOperations',
  'beginStage',
  'withdrawStage',
  'postponeTasks',
  'renewSubmitterLeases',
  'takeOverTasks',
  'giveUpAttempt',
  'followCancelRequests',
  'findCancelled',
  'declineCancel',
  'claimDeliveries',
  'readDeliveriesToAttempt',
  'startDeliveryAttempts',
  'recordDeliveryAttempts',
  'endDelivery',
  'releaseDeliveries',
];

/** Indexes that may be used row by row: a few rows are looked up, each by its own id. */
const COUNTED_PER_ROW = new Set(['tasks_by_parent']);

let home: OpenTestDatabase;
let database: Database;

beforeAll(async () => {
  home = await openTestDatabase(1);
  ({ database } = home);
});

afterAll(() => home.close());

async function planOf(text: string): Promise<string[]> {
  const rows = await runSql<{ 'QUERY PLAN': string }>(database, `explain ${text}`);
  return rows.map((row) => row['QUERY PLAN']);
}

it.each(BY_ID)('%s looks up primary keys, even while next to nothing is open', async (name) => {
  const plan = await planOf(withValues(STATEMENTS[name].text));
  const indexes = plan.flatMap((line) => /(?:using|Index Scan on) (\w+)/.exec(line)?.[1] ?? []);
  expect(indexes.length).toBeGreaterThan(0);
  expect(indexes.filter((index) => !index.endsWith('_pkey') && !COUNTED_PER_ROW.has(index))).toEqual([]);
});

/** Statements that write many rows at once. */
const BATCHES: (keyof typeof STATEMENTS)[] = [
  'beginAttempts',
  'saveOperations',
  'postponeTasks',
  'withdrawAttempts',
  'startDeliveryAttempts',
  'recordDeliveryAttempts',
];

it.each(BATCHES)(
  '%s never compares each of a batch with each: what two batches cost, one of twice the size does',
  async (name) => {
    const plan = await planOf(withValues(STATEMENTS[name].text));
    expect(plan.filter((line) => line.includes('Join Filter'))).toEqual([]);
  },
);

/** Stages of `book_tasks` and of `complete_tasks` that write. */
const STAGES = ['write_booked_tasks', 'debit_bookings', 'settle_endings', 'write_endings', 'end_attempts'];

it.each(STAGES)('%s never compares each of a batch with each', async (name) => {
  const text = readFileSync(join(__dirname, `../../../prisma/functions/${name}.sql`), 'utf8');
  const body = /\nBEGIN\n([\s\S]*);\nEND \$\$/.exec(text)?.[1] ?? '';
  const commands = body
    .replaceAll('unnest(booked)', 'unnest(null::booking[])')
    .replaceAll('unnest(endings)', 'unnest(null::ending[])')
    .replaceAll('coalesce(awaiting,', 'coalesce(null::bigint[],')
    .split(';\n');
  const plans = await Promise.all(commands.map(planOf));
  expect(plans.flat().filter((line) => line.includes('Join Filter'))).toEqual([]);
});

/** Ten of everything: what PostgreSQL assumes of an array that it has not seen. */
function withValues(text: string): string {
  const ten = (value: (index: number) => number) => `'{${Array.from({ length: 10 }, (_, index) => value(index))}}'`;
  const booleans = ten(() => 1);
  const numbers = ten((index) => index);
  return text
    .replaceAll(/\$\d+(?=::boolean\[\])/g, booleans)
    .replaceAll(/\$\d+(?=::\w+\[\])/g, numbers)
    .replaceAll(/\$\d+/g, `'1'`);
}

it('a statement planned while its table is empty goes by the index, so that it stays fast when the table has grown', async () => {
  const ids = Array.from({ length: 64 }, (_, index) => `'task_${index}'`).join(', ');
  const plan = (await planOf(`select id from tasks where id = any(array[${ids}])`)).join('\n');
  expect(plan).toContain('tasks_pkey');
  expect(plan).not.toContain('Seq Scan');
});

it('the audit by the clock has an index of the entries without a balance, of which there are next to none', async () => {
  const plan = await planOf(STATEMENTS.auditRecent.text.replaceAll(/\$[12]/g, '1').replaceAll('$3', `'{}'`));
  expect(plan.join('\n')).toContain('ledger_entries_without_balance');
});

it('claimNoticeMessages reads a few messages of each target, however many are due to one', async () => {
  await runSql(
    database,
    `insert into notice_targets (id, owner, medium, address, language)
     select 'target_' || g, 'acct_' || g, 'webhook', 'https://receiver-' || g || '.example', 'en' from generate_series(0, 300) g`,
  );
  await runSql(
    database,
    `insert into notice_messages (id, target_id, is_test, notices, next_attempt_at)
     select 'message_' || g, case when g <= 20000 then 'target_0' else 'target_' || g - 20000 end, true, '[]', now() - interval '1 hour'
     from generate_series(1, 20300) g`,
  );
  await runSql(database, 'analyze notice_messages, notice_targets');
  const values = [20, 120_000, 15, 2, 4];
  const text = STATEMENTS.claimNoticeMessages.text.replaceAll(
    /\$(\d)/g,
    (_, number) => `${values[Number(number) - 1]}`,
  );
  const plan = await planOf(`(analyze, timing off) ${text}`);
  expect(plan.join('\n')).toContain('notice_messages_due_by_target');
  expect(readOf(plan, 'notice_messages')).toBeGreaterThan(300);
  expect(readOf(plan, 'notice_messages')).toBeLessThan(1500);
});

it('pruneMedia reads the rows that go, however many files are older, and gone for less long or not at all', async () => {
  await runSql(
    database,
    `insert into media_objects (id, account_id, purpose, storage_key, content_type, bytes, sha256, expires_at, deleted_at)
     select first_id_at(now() - interval '1 year') || g, 'acct', 'result', 'key_' || g, 'image/png', 1, '', now(),
       case when g > 10 then now() - interval '29 days' when g > 5 then now() - interval '31 days' end
     from generate_series(1, 3000) g`,
  );
  await runSql(database, 'analyze media_objects');
  const text = STATEMENTS.pruneMedia.text.replaceAll('$1', '500').replaceAll('$2', `${30 * 86_400_000}`);
  const plan = await planOf(`(analyze, timing off) ${text}`);
  expect(readOf(plan, 'media_objects')).toBeGreaterThanOrEqual(5);
  expect(readOf(plan, 'media_objects')).toBeLessThan(50);
});

/** Rows of a table that a plan read, those that it then left out included. */
function readOf(plan: readonly string[], table: string): number {
  const read = new RegExp(` on ${table}.*actual rows=([\\d.]+) loops=(\\d+)`);
  return plan.reduce((sum, line, index) => {
    const [, rows, loops] = read.exec(line) ?? [];
    const left =
      plan
        .slice(index + 1, index + 5)
        .join(' ')
        .split('->')[0] ?? '';
    const leftOut = /Rows Removed by Filter: (\d+)/.exec(left)?.[1] ?? 0;
    return rows === undefined ? sum : sum + (Number(rows) + Number(leftOut)) * Number(loops);
  }, 0);
}

describe('findDueDeliveries with a backlog of 20,000 of one account and 1,500 of others', () => {
  const wanted = { afterAccountId: '', limit: 500, overdueMs: 2000 };
  const accountOf = (number: number) => (number <= 20_000 ? 'acct_0' : `acct_${number}`);

  beforeAll(async () => {
    await runSql(
      database,
      `insert into webhook_deliveries (id, task_id, account_id, url, next_attempt_at)
       select 'whd_' || g, 'task_' || g, case when g <= 20000 then 'acct_0' else 'acct_' || g end, 'https://receiver.example',
         now() - interval '1 hour'
       from generate_series(1, 21500) g`,
    );
    await runSql(database, 'analyze webhook_deliveries');
  });

  it('reads a bounded part of it', async () => {
    const values = [`''`, wanted.limit, wanted.overdueMs];
    const text = STATEMENTS.findDueDeliveries.text.replaceAll(
      /\$(\d)/g,
      (_, number) => `${values[Number(number) - 1]}`,
    );
    const plan = await planOf(`(analyze, timing off) ${text}`);
    const read = plan.map((line) => / on webhook_deliveries.*actual rows=([\d.]+) loops=(\d+)/.exec(line));
    const rows = read.reduce((sum, found) => sum + Number(found?.[1] ?? 0) * Number(found?.[2] ?? 0), 0);
    expect(rows).toBeGreaterThan(500);
    expect(rows).toBeLessThan(5000);
  });

  it('serves each of more accounts than one look takes before any comes again', async () => {
    const looks: string[][] = [];
    let afterAccountId: string | null = '';
    for (let look = 0; look < 4 && afterAccountId !== null; look += 1) {
      const found: DueDeliveryRow[] = await database.findDueDeliveries({ ...wanted, afterAccountId });
      looks.push(found.map(({ deliveryId }) => accountOf(Number(deliveryId?.slice(4)))));
      afterAccountId = found[0]?.goesOnAfter ?? null;
    }
    expect(afterAccountId).toBeNull();
    const served = looks.map((accounts) => new Set(accounts));
    expect(new Set(looks.flat()).size).toBe(1501);
    expect(served.reduce((sum, { size }) => sum + size, 0)).toBe(1501);
  });
});
