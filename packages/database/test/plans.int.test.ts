import { createTestDatabase, runSql, type TestDatabase } from '@mediagate/testkit';
import { type Database, openDatabase } from '../src';
import { STATEMENTS } from '../src/statements';

/** What looks rows up that somebody names. */
const BY_ID: (keyof typeof STATEMENTS)[] = [
  'claimTasks',
  'findChangedTasks',
  'markTasksEnqueued',
  'renewTaskLease',
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
  'startDeliveryAttempts',
  'recordDeliveryAttempts',
  'endDelivery',
  'releaseDeliveries',
];

/** Of look-ups that few rows cost, each by its own id. */
const COUNTED_PER_ROW = new Set(['tasks_by_parent']);

let home: TestDatabase;
let database: Database;

beforeAll(async () => {
  home = await createTestDatabase();
  const options = { poolSize: 1, statementTimeoutMs: 5000, applicationName: 'plans-test' };
  database = openDatabase({ url: home.databaseUrl, ...options });
});

afterAll(async () => {
  await database.close();
  await home.drop();
});

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
