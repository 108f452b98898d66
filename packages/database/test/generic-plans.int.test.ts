import { forAllTests, openTestDatabase, runSql } from '@mediagate/testkit';
import { fillLists } from '../../../bench/src/product/list-rows';
import { STATEMENTS } from '../src/statements';

/* Every statement by the plan that PostgreSQL makes of it once, whatever its values are, in a database that one account has nearly filled. */

const TASKS = 20_000;
const DAYS = 60;
/** With so many rows a table, or an index, is one that grows. */
const MANY_ROWS = 1000;
/** The audit of the whole books reads all there is. */
const OF_THE_WHOLE = new Set(['auditBooks']);

const opened = forAllTests(openTestDatabase);

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  Plans?: PlanNode[];
}

/** Tables and indexes that have many rows. */
let growing: Set<string>;

const HOT = { accountId: 'acct_hot', keyId: 'hot' };
const PAID_IN = 10n ** 15n;

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
  await fillLists({ url: databaseUrl, hot: HOT, tasks: TASKS, days: DAYS });
  await database.sumReservations(0, TASKS);
  await runSql(database, 'analyze usage_days, usage_units');
  const large = await runSql<{ name: string }>(
    database,
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') and reltuples >= ${MANY_ROWS}`,
  );
  growing = new Set(large.map(({ name }) => name));
});

it('has the tables that grow', () => {
  expect([...growing]).toEqual(
    expect.arrayContaining(['tasks', 'task_attempts', 'ledger_entries', 'usage_days', 'media_objects']),
  );
});

async function planOf(text: string): Promise<PlanNode> {
  const [row] = await runSql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    opened.database,
    `explain (generic_plan, format json) ${text}`,
  );
  return (row as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'][0].Plan;
}

/** Between a limit and a scan: each hands on a row at a time. */
const PASSES_ON = new Set(['LockRows', 'Result', 'Subquery Scan', 'Append', 'Merge Append']);

/**
 * Scans of what grows that are bound by no condition of an index and by no limit. Two indexes together count, too: what the planner expects of
 * an account is far from what it finds of one that has nearly everything.
 */
function unboundScans(node: PlanNode, isLimited = false): string[] {
  const { 'Node Type': kind, 'Relation Name': table = '', 'Index Name': index, Filter: filter } = node;
  if (kind === 'BitmapAnd') return [`both ${(node.Plans ?? []).map((each) => each['Index Name']).join(' and ')}`];
  const goesOn = kind === 'Limit' || (isLimited && PASSES_ON.has(kind));
  const below = (node.Plans ?? []).flatMap((each) => unboundScans(each, goesOn));
  if (!/Scan$/.test(kind) || kind === 'Bitmap Heap Scan' || !growing.has(index ?? table)) return below;
  const isBound = index !== undefined && (node['Index Cond'] !== undefined || (isLimited && filter === undefined));
  return isBound ? below : [...below, `${kind} of ${index ?? table}${filter === undefined ? '' : ` where ${filter}`}`];
}

it.each(Object.keys(STATEMENTS).filter((name) => !OF_THE_WHOLE.has(name)))(
  '%s reads neither a table that grows from end to end, nor two indexes to compare them',
  async (name) => {
    const plan = await planOf(STATEMENTS[name as keyof typeof STATEMENTS].text);
    expect(unboundScans(plan)).toEqual([]);
  },
);
