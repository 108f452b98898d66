import { forAllTests, openTestDatabase, runSql } from '@mediagate/testkit';
import { explain, type PlanNode } from '@mediagate/testkit/plans';
import { fillLists } from '@mediagate/testkit/rows';
import { STATEMENTS } from '../src/statements';

/*
 * Every statement by the plan that PostgreSQL makes of it once, whatever its values are, in a database that one account has nearly filled. A
 * statement that calls a function of the database is judged without what is in the function, and tables that have few rows here are not judged.
 */

const TASKS = 20_000;
const DAYS = 60;
const SMALL_ACCOUNTS = 1500;
const SUBMISSION = { model: 'imagegen-2.5-flare', prompt: 'A lighthouse' };
/** With so many rows a table, or an index, is one that grows. */
const MANY_ROWS = 1000;
/** The audit of the whole books reads all there is. */
const OF_THE_WHOLE = new Set(['auditBooks']);

const opened = forAllTests(openTestDatabase);

/** Tables and indexes that have many rows. */
let growing: Set<string>;
/** Indexes by which a value of their one column has one row. */
let ofOne: Set<string>;
/** Columns of each index, in their order. */
let columnsOf: Map<string, string[]>;

const HOT = { accountId: 'acct_hot', keyId: 'hot' };
const PAID_IN = 10n ** 15n;

/** Rows that are there for a day alone, or while they wait, and those of files that are gone. */
const FURTHER_ROWS = [
  `insert into idempotency_keys (key_id, idempotency_key, request_hash, task_id, expires_at)
   select key_id, 'key of ' || id, '', id, now() + interval '1 day' from tasks order by id desc limit 5000`,
  `insert into slot_waiters (task_id, account_id, family, model, is_test, turn_at)
   select id, account_id, family, model, false, created_at from tasks order by id desc limit 5000`,
  `update media_objects set deleted_at = created_at + interval '1 day', expires_at = created_at + interval '1 day'
   where created_at < now() - interval '1 day'`,
  `insert into fingerprints (task_id, output, account_id, key_id, kind, sha256, hashes, terms)
   select id, 1, account_id, key_id, 'image', sha256(convert_to(id, 'UTF8')), array[hashtextextended(id, 0)],
     array[hashtext(id), hashtext(id || 'a'), hashtext(id || 'b'), hashtext(id || 'c'), hashtext(id || 'd')]
   from tasks`,
];

beforeAll(async () => {
  const { database, databaseUrl } = opened;
  const { accountId, keyId } = HOT;
  await database.account.create({
    data: { id: accountId, name: 'hot', webhookSecret: 'unused', toppedUpNano: PAID_IN },
  });
  await database.ledgerEntry.create({
    data: { accountId, kind: 'top_up', amountNano: PAID_IN, balanceAfterNano: PAID_IN },
  });
  await database.apiKey.create({ data: { id: keyId, accountId, secretHash: Buffer.from('unused'), lastFour: 'abcd' } });
  await fillLists({
    url: databaseUrl,
    hot: HOT,
    tasks: TASKS,
    days: DAYS,
    accounts: SMALL_ACCOUNTS,
    submission: SUBMISSION,
  });
  for (const text of FURTHER_ROWS) await runSql(database, text);
  await database.sumReservations(0, TASKS);
  await runSql(database, 'analyze');
  const large = await runSql<{ name: string }>(
    database,
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') and reltuples >= ${MANY_ROWS}`,
  );
  growing = new Set(large.map(({ name }) => name));
  const unique = await runSql<{ name: string }>(
    database,
    'select indexrelid::regclass::text as name from pg_index where indisunique and indnkeyatts = 1',
  );
  ofOne = new Set(unique.map(({ name }) => name));
  const indexes = await runSql<{ name: string; columns: string[] }>(
    database,
    `select i.indexrelid::regclass::text as name, array_agg(pg_get_indexdef(i.indexrelid, k, true) order by k) as columns
     from pg_index i cross join lateral generate_series(1, i.indnkeyatts) k
     where i.indrelid::regclass::text not like 'pg%' group by i.indexrelid`,
  );
  columnsOf = new Map(indexes.map(({ name, columns }) => [name, columns]));
});

/** As docs/growth.md names them. */
const GROWING = `accounts, api_keys, api_key_uses, audit_log, fingerprints, idempotency_keys, ledger_entries, media_objects, overruns, reservations,
  slot_waiters, task_attempts, task_labels, tasks, usage_days, usage_units, webhook_attempts, webhook_deliveries`;

it('has the tables that grow', () => {
  expect([...growing]).toEqual(expect.arrayContaining(GROWING.split(/,\s+/)));
});

/** They read rows that other scans have named. */
const BY_OTHERS = new Set(['Bitmap Heap Scan', 'Tid Scan']);
/** Between a limit and a scan: each hands on a row at a time. */
const PASSES_ON = new Set(['LockRows', 'Result', 'Subquery Scan', 'Append', 'Merge Append']);
/** An account or a key may have nearly all rows, and most rows are alike in these. */
const SHARED_BY_MANY = new Set(['account_id', 'key_id', 'owner', 'status', 'state', 'family', 'model', 'is_test']);

/** An index may have an expression of a column. */
const isOf = (column: string, named: string): boolean => new RegExp(`\\b${named}\\b`).test(column);

/**
 * Whether a condition of an index leaves few rows of a table: it names some of their own, or two ends. A column counts only where those before
 * it in the index are named, too: else all that lies between is read.
 */
function isNarrow(index: string, condition: string): boolean {
  const all = condition.split(' AND ').map((part) => /^\(*(?:ROW\()?(\w+)[^=<>&@]* (=|&&|@>|[<>]=?) /.exec(part) ?? []);
  const own = columnsOf.get(index) ?? [];
  const passed = own.findIndex((column) => !all.some(([, named]) => named !== undefined && isOf(column, named)));
  const reached = own.slice(0, passed < 0 ? own.length : passed);
  const parts = all.filter(([, named = '']) => reached.some((column) => isOf(column, named)));
  const columns = (signs: RegExp) => parts.flatMap(([, column = '', sign = '']) => (signs.test(sign) ? [column] : []));
  const below = new Set(columns(/</));
  const isNamed = columns(/^(=|&&|@>)$/).some((column) => ofOne.has(index) || !SHARED_BY_MANY.has(column));
  return isNamed || columns(/>/).some((column) => below.has(column));
}

/**
 * Scans of what grows that are bound neither by a narrow condition of an index nor by a limit. Two indexes together count, too: what the
 * planner expects of an account is far from what it finds of one that has nearly everything.
 */
function unboundScans(node: PlanNode, isLimited = false): string[] {
  const { 'Node Type': kind, 'Relation Name': table = '', 'Index Name': index, Filter: filter } = node;
  if (kind === 'BitmapAnd') return [`both ${(node.Plans ?? []).map((each) => each['Index Name']).join(' and ')}`];
  const goesOn = kind === 'Limit' || (isLimited && PASSES_ON.has(kind));
  const below = (node.Plans ?? []).flatMap((each) => unboundScans(each, goesOn));
  if (!/Scan$/.test(kind) || BY_OTHERS.has(kind) || !growing.has(index ?? table)) return below;
  const condition = node['Index Cond'] ?? '';
  const isBound = index !== undefined && ((isLimited && filter === undefined) || isNarrow(index, condition));
  return isBound ? below : [...below, `${index ?? table}: ${kind} by ${condition} where ${filter}`];
}

type Name = keyof typeof STATEMENTS;

/** Scans that a statement may have although they grow, by its name. */
const MAY_READ: Partial<Record<Name, RegExp>> = {
  // Balances and quotas of all accounts and keys: an index of them would make each booking write to it.
  auditRecent: /^(accounts|api_keys):/,
  readStanding: /^accounts:/,
  watchKeyQuotas: /^api_keys_/,
  watchLowBalances: /^accounts_/,
  // The keys of one account: there are a thousand in force.
  listKeysOfAccount: /^api_keys_account_id/,
  listTasksByIdempotencyKey: /^api_keys_account_id/,
  // Days and payments of one account, and its reservations that no day has summed up yet.
  readInvoice: /^(usage_days_account_id|ledger_entries_payments|reservations_account_id)/,
  // Tasks that await a slot, and of those whether there is any.
  followChannels: /^slot_waiters_pkey/,
  forgetSlotTakers: /^slot_waiters:/,
  // Tasks older than the retention: few of them stay.
  pruneTasks: /^tasks_pkey/,
  pruneFingerprints: /^fingerprints_pkey/,
};

it.each((Object.keys(STATEMENTS) as Name[]).filter((name) => !OF_THE_WHOLE.has(name)))(
  '%s reads neither a table that grows from end to end, nor all of an account, nor two indexes to compare them',
  async (name) => {
    const scans = unboundScans(await explain(opened.database, STATEMENTS[name].text, { by: 'generic_plan' }));
    expect(scans.filter((scan) => !MAY_READ[name]?.test(scan))).toEqual([]);
  },
);
