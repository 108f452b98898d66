import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenTestDatabase, openTestDatabase, runSql } from '@mediagate/testkit';
import { explain, nodesOf, placesOf, rowsRead } from '@mediagate/testkit/plans';
import type { Database, DueDeliveryRow } from '../src';
import { STATEMENTS } from '../src/statements';

/** Statements that look up rows by given ids. */
const BY_ID: (keyof typeof STATEMENTS)[] = [
  'claimTask',
  'findChangedTasks',
  'findEarlyDelivery',
  'findEarlyTask',
  'markTasksEnqueued',
  'renewTaskLease',
  'recallTask',
  'returnTaskClaim',
  'beginAttempt',
  'saveOperation',
  'beginStage',
  'withdrawStage',
  'postponeTask',
  'renewSubmitterLeases',
  'takeOverTasks',
  'giveUpAttempt',
  'followCancelRequests',
  'findCancelled',
  'declineCancel',
  'claimDelivery',
  'readDeliveryToAttempt',
  'startDeliveryAttempt',
  'recordDeliveryAttempt',
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

it.each(BY_ID)('%s looks up primary keys, even while next to nothing is open', async (name) => {
  const plan = await explain(database, withValues(STATEMENTS[name].text));
  const indexes = nodesOf(plan).flatMap((node) => node['Index Name'] ?? []);
  expect(indexes.length).toBeGreaterThan(0);
  expect(indexes.filter((index) => !index.endsWith('_pkey') && !COUNTED_PER_ROW.has(index))).toEqual([]);
});

/** Statements that write many rows at once. */
const BATCHES: (keyof typeof STATEMENTS)[] = [
  'beginAttempt',
  'saveOperation',
  'postponeTask',
  'withdrawAttempt',
  'startDeliveryAttempt',
  'recordDeliveryAttempt',
];

it.each(BATCHES)(
  '%s never compares each of a batch with each: what two batches cost, one of twice the size does',
  async (name) => {
    expect(await joinFilters(withValues(STATEMENTS[name].text))).toEqual([]);
  },
);

/** Conditions by which each row of one set is compared with each of another. */
async function joinFilters(text: string): Promise<string[]> {
  return nodesOf(await explain(database, text)).flatMap((node) => node['Join Filter'] ?? []);
}

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
  expect((await Promise.all(commands.map(joinFilters))).flat()).toEqual([]);
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
  expect(placesOf(await explain(database, `select id from tasks where id = any(array[${ids}])`))).toEqual([
    'tasks_pkey',
  ]);
});

it('the audit by the clock has an index of the entries without a balance, of which there are next to none', async () => {
  const plan = await explain(database, STATEMENTS.auditRecent.text, { values: [1, 1, `'{}'`] });
  expect(placesOf(plan)).toContainEqual(expect.stringContaining('ledger_entries_without_balance'));
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
  const plan = await explain(database, STATEMENTS.claimNoticeMessages.text, { by: 'analyze', values });
  expect(placesOf(plan)).toContain('notice_messages_due_by_target');
  expect(rowsRead(plan, 'notice_messages')).toBeGreaterThan(300);
  expect(rowsRead(plan, 'notice_messages')).toBeLessThan(1500);
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
  const values = [500, 30 * 86_400_000];
  const plan = await explain(database, STATEMENTS.pruneMedia.text, { by: 'analyze', values });
  expect(rowsRead(plan, 'media_objects')).toBeGreaterThanOrEqual(5);
  expect(rowsRead(plan, 'media_objects')).toBeLessThan(50);
});

describe('a backlog of 30,000 of which the planner knows nothing', () => {
  beforeAll(async () => {
    await runSql(
      database,
      `insert into tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version, reserved_nano, deadline_at,
         status, woken_at, awaits_key_slot)
       select 'task_of_backlog_' || g, 'acct_' || g % 7, 'key_' || g % 2, 'image', 'image', 'a-model', 'generate', '{}', '{}', 1, 5,
         now() + interval '10 minutes', 'submitted', case when g % 2 = 1 then now() end, g % 2 = 1
       from generate_series(1, 60000) g`,
    );
    await runSql(
      database,
      `insert into slot_waiters (task_id, account_id, family, model, is_test, turn_at)
       select 'task_of_backlog_' || g, 'acct_' || g % 7, 'image', 'model_' || g % 3, false, now() from generate_series(1, 30000) g`,
    );
  });

  const families = [`'{image}'`];

  async function expectBounded(name: keyof typeof STATEMENTS, values: string[]): Promise<void> {
    const read = rowsRead(await explain(database, STATEMENTS[name].text, { by: 'analyze', values }));
    expect(read).toBeGreaterThan(7000);
    // A family counts 10,000 at most that wait in rows, and as many that are enqueued.
    expect(read).toBeLessThan(21_000);
  }

  it('listAwaitedModels reads as many rows as it counts', () => expectBounded('listAwaitedModels', []));

  it.each([
    ['listAwaitedModels', []],
    ['readDueBacklogs', families],
    ['readQueueDepths', families],
    ['readAccountBacklogs', families],
  ] as const)('%s reads as many rows as it counts, once there are statistics', async (name, values) => {
    await runSql(database, 'analyze tasks, slot_waiters');
    await expectBounded(name, [...values]);
  });

  it('has 10,000 of its waiting tasks counted, of each model as many', async () => {
    const counts = await database.listAwaitedModels();
    expect(counts.map(({ model, tasks }) => [model, tasks])).toEqual(
      ['model_0', 'model_1', 'model_2'].map((model) => [model, 3333]),
    );
  });
});

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
    const plan = await explain(database, STATEMENTS.findDueDeliveries.text, { by: 'analyze', values });
    const rows = rowsRead(plan, 'webhook_deliveries');
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
