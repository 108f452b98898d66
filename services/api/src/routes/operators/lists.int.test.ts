import { listPriceHistory } from '@mediagate/billing';
import { listDeliveries } from '@mediagate/callbacks';
import { FAMILIES } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { listAccounts, listActions, searchKeys } from '@mediagate/identity';
import { listQuarantined, listQueues, searchTasks } from '@mediagate/tasks';
import { openTestDatabase, runSql } from '@mediagate/testkit';

const ROWS = 6000;
const LIMIT = 20;

let database: Database;
let close: () => Promise<void>;

beforeAll(async () => {
  // A session reports what it read once a second at most, unless it is asked to; hence the one connection.
  ({ database, close } = await openTestDatabase(1));
  for (const statement of FILL) await runSql(database, statement);
  await runSql(database, 'analyze');
});
afterAll(() => close());

const id = (prefix: string, index: number | string) => `'${prefix}' || lpad((${index})::text, 26, '0')`;

/** Fills each table with six thousand rows; the rows that tests look for are rare and old, so a scan from the newest finds them late. */
const FILL = [
  `insert into accounts (id, name, webhook_secret, state)
   select ${id('acct_', 'i')}, 'Account ' || i, 'whsec_dGVzdA==', case when i <= 40 then 'suspended' else 'active' end
   from generate_series(1, ${ROWS}) i`,
  `insert into api_keys (id, account_id, secret_hash, last_four, created_at, revoked_at)
   select lpad(i::text, 12, '0'), ${id('acct_', 'i')}, '\\x00', 'abcd', now() - i * interval '1 second', case when i % 5 = 0 then now() end
   from generate_series(1, ${ROWS}) i`,
  `insert into tasks (id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version, reserved_nano,
     deadline_at, status, progress, completed_at, error, cost_nano, request_id, is_test)
   select ${id('task_', 'i')}, ${id('acct_', 1)}, lpad('1', 12, '0'), 'image', 'image', 'a-model', 'generate', '{}', '{}', 1, 5, now(),
     'failed', 100, now(), '{}', 0, 'case-' || i, i in (3, 4)
   from generate_series(1, ${ROWS}) i`,
  `insert into task_attempts (id, task_id, number, channel_id, protocol, state, resolution, resolved_at)
   select ${id('att_', 'i')}, ${id('task_', 'i')}, 1, 'main', 'openai-images', 'unknown',
     case when i > 40 then 'paid' end, case when i > 40 then now() end
   from generate_series(1, ${ROWS}) i`,
  `insert into webhook_deliveries (id, task_id, account_id, url, state)
   select 'delivery_' || i, ${id('task_', 'i')}, ${id('acct_', 1)}, 'https://callbacks.example',
     case when i <= 40 then 'pending' when i <= 80 then 'exhausted' else 'delivered' end
   from generate_series(1, ${ROWS}) i`,
  `insert into audit_log (actor, action, subject, created_at)
   select case when i <= 40 then 'cli:ada' else 'system' end, case when i <= 80 then 'price.set' else 'key.create' end,
     case when i <= 40 then 'a-key' else 'another' end, now() - (${ROWS} - i) * interval '1 hour'
   from generate_series(1, ${ROWS}) i`,
  `insert into price_overrides (billing_key, effective_at, set_by)
   select case when i <= 40 then 'a-key' else 'another' end, now() + interval '1 hour', 'cli:ada'
   from generate_series(1, ${ROWS}) i`,
];

const ACCOUNT = `acct_${'1'.padStart(26, '0')}`;
const OLD = { createdBefore: new Date(Date.now() - 5000 * 3_600_000), createdFrom: new Date(0) };
const PAGE = { before: undefined, limit: LIMIT };

const LISTS: [name: string, list: () => Promise<object[]>][] = [
  ['accounts', async () => (await listAccounts(database, PAGE)).rows],
  [
    'accounts by the beginning of an id',
    async () => (await listAccounts(database, { ...PAGE, text: ACCOUNT.slice(0, -3) })).rows,
  ],
  ['suspended accounts', async () => (await listAccounts(database, { ...PAGE, state: 'suspended' })).rows],
  ['keys', async () => (await searchKeys(database, { limit: LIMIT })).rows],
  ['revoked keys', async () => (await searchKeys(database, { limit: LIMIT, revoked: true })).rows],
  ['callbacks', async () => (await listDeliveries({ database }, PAGE)).rows],
  ['callbacks that are due', async () => (await listDeliveries({ database }, { ...PAGE, state: 'pending' })).rows],
  ['callbacks given up', async () => (await listDeliveries({ database }, { ...PAGE, state: 'exhausted' })).rows],
  [
    'callbacks of an account that are due',
    async () => (await listDeliveries({ database }, { ...PAGE, accountId: ACCOUNT, state: 'pending' })).rows,
  ],
  ['callbacks of an account', async () => (await listDeliveries({ database }, { ...PAGE, accountId: ACCOUNT })).rows],
  ['what was done', async () => (await listActions(database, PAGE)).rows],
  ['what was done to a subject', async () => (await listActions(database, { ...PAGE, subject: 'a-key' })).rows],
  ['what somebody did', async () => (await listActions(database, { ...PAGE, actor: 'cli:ada' })).rows],
  ['one kind of change', async () => (await listActions(database, { ...PAGE, action: 'price.set' })).rows],
  ['what was done at a time', async () => (await listActions(database, { ...PAGE, ...OLD })).rows],
  [
    'attempts to resolve',
    async () => (await listQuarantined(database, { open: true, isTest: false, limit: LIMIT })).rows,
  ],
  ['the prices of a key', async () => (await listPriceHistory(database, { billingKey: 'a-key', limit: LIMIT })).rows],
  ['a task by its request id', async () => (await searchTasks(database, { limit: 1, requestId: 'case-7' })).rows],
];

/** Rows that a page may read of tables and indexes, for the twenty that it shows. */
const READ_MAX_ROWS = 30 * LIMIT;

it.each(LISTS)('a page of %s reads few rows, however many there are', async (...[name, list]) => {
  const before = await countReads();
  const found = await list();
  expect([name, found.length]).toEqual([name, name.startsWith('a task') ? 1 : LIMIT]);
  expect((await countReads()) - before).toBeLessThan(READ_MAX_ROWS);
});

it('a page of accounts by a part of a name looks at 5,000 names at most', async () => {
  const before = await countReads();
  const { rows, next } = await listAccounts(database, { ...PAGE, text: 'nobody' });
  expect([rows, next]).toEqual([[], expect.any(String)]);
  // Each is read in the index of names, in its row, and again by its id; 6,000 are there.
  expect((await countReads()) - before).toBeLessThan(3 * 5000 + READ_MAX_ROWS);
  expect((await listAccounts(database, { ...PAGE, text: 'COUNT 10' })).rows).toHaveLength(LIMIT);
});

it.each([
  ['a part of an id', { idPart: 'zzzz' }],
  ['words', { words: ['zzzz', 'failed'] }],
])(
  'a search for %s that finds nothing looks at a bounded number of rows and says where to go on',
  async (_, wanted) => {
    const before = await countReads();
    const { rows, next } = await searchTasks(database, { limit: LIMIT, ...wanted });
    expect([rows, next === undefined]).toEqual([[], false]);
    expect((await countReads()) - before).toBeLessThan(30_000);
  },
);

it.each([
  ['of test keys, of which there are next to none', { open: true, isTest: true }],
  ['resolved by now', { open: false, isTest: true }],
])('a page of attempts %s looks at a bounded number of rows and says where to go on', async (_, wanted) => {
  const before = await countReads();
  const { rows: attempts, next } = await listQuarantined(database, { limit: LIMIT, ...wanted });
  expect([attempts, next === undefined]).toEqual([[], false]);
  expect((await countReads()) - before).toBeLessThan(4 * 2000 + READ_MAX_ROWS);
});

it('pages of attempts of test keys come to an end, however few they are', async () => {
  const found: string[] = [];
  let before: string | undefined;
  let pages = 0;
  do {
    const { rows: attempts, next } = await listQuarantined(database, { limit: 1, open: false, isTest: true, before });
    found.push(...attempts.map(({ taskId }) => taskId));
    before = next;
    pages += 1;
  } while (before !== undefined && pages < 10);
  expect(found).toEqual([rareTask(4), rareTask(3)]);
  expect(pages).toBeLessThan(10);
});

const rareTask = (index: number) => `task_${String(index).padStart(26, '0')}`;

it('what waits and what runs is counted without what has ended', async () => {
  const before = await countReads();
  const { families, callbacks } = await listQueues(database, () => Promise.resolve(undefined));
  expect([families.length, callbacks.pending]).toEqual([FAMILIES.length, 40]);
  expect((await countReads()) - before).toBeLessThan(READ_MAX_ROWS);
});

async function countReads(): Promise<number> {
  await runSql(database, 'select pg_stat_force_next_flush()::text');
  const [row] = await runSql<{ reads: number }>(database, READS);
  return row?.reads ?? Number.NaN;
}

const READS = `
select ((select sum(seq_tup_read) from pg_stat_user_tables) + (select sum(idx_tup_read) from pg_stat_user_indexes))::int as reads`;
