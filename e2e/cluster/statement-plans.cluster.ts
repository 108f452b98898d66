import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '@mediagate/database';
import { createOperator } from '@mediagate/identity';
import { testRedisUrl, until } from '@mediagate/testkit';
import { fillLists, type ListRows, type Owner, taskIdOf } from '@mediagate/testkit/rows';
import { simulatorKeys } from '@mediagate/testkit/servers';
import { runIn } from '../../tools/cli/test/world';
import { type Caller, createCaller } from '../system/caller';
import { openAccount, PEPPER, type System, type SystemAccount, startSystem } from '../system/start-system';
import { workOfCallers } from './plans/callers-work';
import { type ExplainedPostgres, startExplainedPostgres } from './plans/explained-postgres';
import { commandsOf, questionsOf } from './plans/questions';
import { type StatementReads, statementsOf, toTable } from './plans/statement-table';

/* Every statement that the product runs in a database of months, nine tenths of which are one account's, judged by what it read. */

const TASKS = 100_000;
const SUBMISSION = { model: 'imagegen-2.5-flare', prompt: 'A lighthouse' };
/** Longer than `RETENTION` by more than a month: one month of the books is to be removed, of whose tasks no record is left. */
const DAYS = 130;
const RETENTION = { TASK_RETENTION_DAYS: '93', BOOKS_RETENTION_MONTHS: '3' };
/** Records of the last of these days are removed while the test runs, those of all days before were. */
const KEPT_DAYS = 94;
const BALANCE_NANO = 10n ** 15n;
/** Nothing here is judged by the time that it takes; this ends what hangs. */
const LIMIT_MS = 1_800_000;

let directory: string;
let postgres: ExplainedPostgres;
let database: Database;
let rows: ListRows;
let account: SystemAccount;
let hot: Owner;
let system: System<'api' | 'serve'>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mediagate-plans-'));
  postgres = await startExplainedPostgres(directory);
  database = openDatabase({
    url: postgres.url,
    poolSize: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'plans of statements',
  });
  account = await openAccount(database, '', BALANCE_NANO, { canManage: true });
  hot = account;
  rows = await fillLists({ url: postgres.url, hot, tasks: TASKS, days: DAYS, submission: SUBMISSION });
  await forgetOldRecords();
  await postgres.explainAll();
  const servers = { databaseUrl: postgres.url, servicesUrl: postgres.url, redisUrl: testRedisUrl() };
  const env = { ...RETENTION, AUDIT_SECONDS: '10', LEASE_SECONDS: '60', SIM_IMAGE_MS: '100', SIM_VIDEO_MS: '300' };
  system = await startSystem({ services: ['api', 'serve'], servers, env });
}, LIMIT_MS);
afterAll(async () => {
  await stopSystem();
  await database?.close();
  await postgres?.stop();
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
}, LIMIT_MS);

let stopping: Promise<void> | undefined;
/** Whoever reads the log reads all of it: nothing runs any more. */
function stopSystem(): Promise<void> | undefined {
  stopping ??= system?.stop();
  return stopping;
}

/** As `prune-task-records` did, on each of the days before. */
async function forgetOldRecords(): Promise<void> {
  const old = `'task_' || first_id_at(now() - interval '${KEPT_DAYS} days')`;
  const removals = [
    `delete from task_labels where task_id < ${old}`,
    `delete from task_attempts where task_id < ${old}`,
    `delete from webhook_attempts w using webhook_deliveries d where d.id = w.delivery_id and d.task_id < ${old}`,
    `delete from webhook_deliveries where task_id < ${old}`,
    `delete from media_objects where task_id < ${old}`,
    `delete from tasks where id < ${old}`,
    // The account paid in before its first task.
    `update ledger_entries set created_at = to_timestamp(${rows.begin.getTime()} / 1000.0) where task_id is null`,
  ];
  await postgres.run(['set session_replication_role = replica', ...removals].join('; '));
  await postgres.run('vacuum (analyze)');
}

const askerWith = (key: string): Caller => createCaller(system.baseUrl, key, { isPatient: true, limitMs: LIMIT_MS });

/** Run again while a busy machine has no connection in time. */
function runPatiently(env: Record<string, string>, words: string[]) {
  return until(async () => {
    const ran = await runIn(env, ...words);
    return !ran.err.includes('cannot be used') && ran;
  }, words.join(' '));
}

describe('what runs', () => {
  it(
    'ends what callers submit, in each family',
    () =>
      workOfCallers(
        {
          ...system,
          account: async (...of) => {
            const made = await system.account(...of);
            return { ...made, caller: askerWith(made.key) };
          },
        },
        { ...account, caller: askerWith(account.key) },
      ),
    LIMIT_MS,
  );

  it(
    'sums up all days that are over',
    () => {
      const summed = { where: { summedTo: { gte: taskIdOf(rows, 0.99 * TASKS) } } };
      return until(async () => (await database.usageProgress.count(summed)) > 0, 'the days are summed up');
    },
    LIMIT_MS,
  );

  it(
    'answers every question',
    async () => {
      const { token } = await createOperator(
        database,
        PEPPER,
        { name: 'plans', role: 'admin' },
        { actor: 'cli:plans' },
      );
      const askers: Record<'caller' | 'operator', Caller> = {
        caller: askerWith(account.key),
        operator: askerWith(token),
      };
      const documents = {
        caller: (await askers.caller.get('/openapi.json')).body,
        operator: (await askers.caller.get('/openapi.operators.json')).body,
      };
      const answers: Record<string, number> = {};
      for (const { by, path } of questionsOf(documents, rows, hot)) {
        answers[`${by} ${path}`] = (await askers[by].get(path)).status;
      }
      expect(Object.values(answers).filter((status) => status === 200).length).toBeGreaterThan(150);
      expect(Object.entries(answers).filter(([, status]) => status >= 500)).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'runs every command that reads',
    async () => {
      const env = {
        ...simulatorKeys(),
        SIMULATOR_URL: 'http://127.0.0.1:9',
        DEMO_CALLBACK_ORIGIN: 'http://127.0.0.1:9',
        DATABASE_URL: postgres.url,
        MEDIAGATE_CONFIG: system.configPath,
        MEDIAGATE_HOME: directory,
        MEDIAGATE_KEY_PEPPER: PEPPER,
      };
      const failed: string[] = [];
      let done = 0;
      for (const words of commandsOf(rows, hot)) {
        const { code, err } = await runPatiently(env, words);
        if (code === 0) done += 1;
        else failed.push(`${words.join(' ')}: ${code} ${err}`);
      }
      // A few ask for what there is none of, or a part of them is none of the values here.
      expect(failed.length).toBeLessThan(5);
      expect(done).toBeGreaterThan(50);
    },
    LIMIT_MS,
  );

  it(
    'closes the oldest month, and removes what its tasks left',
    async () => {
      const removed = { where: { prunedTo: { gt: database.closedMonth.fields.afterEntryId } } };
      await until(async () => (await database.closedMonth.count(removed)) > 0, 'what a closed month left is removed');
    },
    LIMIT_MS,
  );
});

/** Rows that any statement may read: a page, a batch, what a task has. */
const ANY_READS = 5000;
/** Statements that read more, and why; each reads a piece of a fixed size, but for the first. */
const READS_MORE: [part: string, rows: number][] = [
  // The audit of the whole books reads each row some times.
  ['with touched as materialized ( select id as task_id from tasks union', 40 * TASKS],
  // The audit by the clock: 50,000 entries, each with its task, its reservation and its attempts.
  ['with part as materialized ( select e.id, e.account_id', 300_000],
  // The seal that follows: 50,000 entries.
  ['update ledger_seal set entry_id', 150_000],
  // Sums of usage of an account, and of all accounts: one for each day, key, model and channel.
  ['with progress as materialized (select p.summed_to', 10_000],
  ['"tasksRead"', 30_000],
  // Reports by what no sum has: tasks of the time, 300,000 at most.
  ['g.metadata, g.tasks', 2 * TASKS],
  // A day's sums of 20,000 tasks.
  ['insert into usage_days as u', 60_000],
  // A page of a filter that seldom meets looks at 5,000 rows.
  ['"lookedUntil"', 20_000],
  // The newest 10,000 bookings, for a metric.
  ['with newest as materialized ( select e.task_id, e.kind, e.created_at', 20_000],
  // A closed month: 20,000 entries, with the reservations of those that settle.
  ['with open as materialized ( select c.month, c.sealed_to', 60_000],
  ['SELECT sha256(convert_to(coalesce(string_agg(', 60_000],
  // The sums of a month, or of all: one for each key that was in use.
  ['SELECT sha256( coalesce((SELECT b.digest FROM closed_months', 20_000],
  ['count(distinct s.account_id) as accounts', 50_000],
];

const boundOf = ({ text }: StatementReads) => READS_MORE.find(([part]) => text.includes(part))?.[1] ?? ANY_READS;

describe('each statement', () => {
  let statements: StatementReads[];
  beforeAll(async () => {
    await stopSystem();
    statements = await statementsOf(postgres.executions());
    await mkdir('coverage', { recursive: true });
    await writeFile('coverage/statements.md', toTable(statements));
    if (process.env['UPDATE_STATEMENTS'] === '1') await replaceTable(statements);
  }, LIMIT_MS);

  it('is one of those of all services', () => {
    expect(statements.length).toBeGreaterThan(200);
  });

  it('reads no large table without an index', async () => {
    const large = await postgres.run<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples > ${ANY_READS}`,
    );
    const names = new Set(large.map(({ name }) => name));
    expect(names).toContain('tasks');
    const whole = statements.filter(
      (one) => boundOf(one) === ANY_READS && [...one.wholeTables].some((table) => names.has(table)),
    );
    expect(whole.map(({ text }) => text)).toEqual([]);
  });

  it('reads within its bound: rows, and four pages for each that it may read', () => {
    const beyond = statements.filter((one) => one.rows > boundOf(one) || one.pages > 4 * boundOf(one));
    expect(beyond.map(({ text, rows: read, pages }) => ({ text, read, pages }))).toEqual([]);
  });
});

/** The table has statements that read so many rows. */
const SHOWN_FROM = 20;

async function replaceTable(statements: readonly StatementReads[]): Promise<void> {
  const page = join(__dirname, '../../docs/statements.md');
  const [head = ''] = (await readFile(page, 'utf8')).split(/^\| Statement /m);
  const shown = statements.filter(({ rows: read }) => read >= SHOWN_FROM);
  const words = `${head.replace(/\d+ statements ran, \d+ of them/, `${statements.length} statements ran, ${shown.length} of them`)}`;
  await writeFile(page, `${words}${toTable(shown)}\n`);
}
