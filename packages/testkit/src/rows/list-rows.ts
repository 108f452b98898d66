import { firstTaskIdAt } from '@mediagate/contracts';
import { Client } from 'pg';
import { fillStatements, type ListRows, type Owner, type Submission } from './list-rows-sql';

export type { ListRows, Owner };

const DAY_MS = 86_400_000;
/** Rows of one statement, so that none is a transaction of many minutes. */
const CHUNK_ROWS = 100_000;
const TASKS_OF_SMALL_ACCOUNT = 10;
const OPEN_SHARE = 4000;
const INDEX_MEMORY = '512MB';

export interface FillOptions {
  /** The database has all migrations. */
  url: string;
  /** The account that has nine tenths of everything, and its key. */
  hot: Owner;
  tasks: number;
  days?: number;
  /** The number of accounts that share the last tenth. */
  accounts?: number;
  /** The body of all tasks but a few. */
  submission: Submission;
}

/**
 * Fills a database with the tasks of some days and all that belongs to them. A million takes one to three minutes. The books balance.
 */
export async function fillLists(options: FillOptions): Promise<ListRows> {
  const { url, hot, tasks, days = 30, accounts = Math.ceil(tasks / 10 / TASKS_OF_SMALL_ACCOUNT), submission } = options;
  const periodMs = days * DAY_MS;
  const rows: ListRows = {
    tasks,
    accounts,
    begin: new Date(Date.now() - periodMs),
    stepMs: periodMs / tasks,
    open: Math.ceil(tasks / OPEN_SHARE),
  };
  const { once, ofTasks, atLast } = fillStatements(rows, { hot, submission });
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Without triggers: no row is checked against another table.
    await client.query('set session_replication_role = replica');
    await client.query('set synchronous_commit = off');
    for (const text of once) await client.query(text);
    await withoutIndexes(client, async () => {
      for (let from = 1; from <= tasks; from += CHUNK_ROWS) {
        const values = [from, Math.min(tasks, from + CHUNK_ROWS - 1)];
        for (const text of ofTasks) await client.query(text, values);
      }
    });
    for (const text of atLast) await client.query(text);
    await client.query('vacuum (analyze)');
  } finally {
    await client.end();
  }
  return rows;
}

/** Drops all but the primary keys meanwhile: an index that is built at the end takes a fraction of the time that keeping it takes. */
async function withoutIndexes(client: Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select c.oid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = 'public'::regnamespace and not i.indisprimary`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await work();
  await client.query(`set maintenance_work_mem = '${INDEX_MEMORY}'`);
  for (const { definition } of rows) await client.query(definition);
}

/** As the statements make them: 48 bits of milliseconds, then the number. */
function idAt(ms: number, n: number): string {
  return `${firstTaskIdAt(Math.floor(ms)).slice('task_'.length, -16)}${n.toString(16).padStart(16, '0')}`;
}

export function msOf({ begin, stepMs }: ListRows, n: number): number {
  return Math.floor(begin.getTime() + n * stepMs);
}

export function taskIdOf(rows: ListRows, n: number): string {
  return `task_${idAt(msOf(rows, n), n)}`;
}

export function mediaIdOf(rows: ListRows, n: number): string {
  return idAt(msOf(rows, n), n);
}

/** A request's id as the product makes it: a UUID of version 7. */
export function requestIdOf(rows: ListRows, n: number): string {
  const ms = msOf(rows, n).toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-${n.toString(16).padStart(12, '0')}`;
}

export function accountIdOf({ begin }: ListRows, i: number): string {
  return `acct_${idAt(begin.getTime(), i)}`;
}

export function keyIdOf(i: number): string {
  return `k${i.toString(16).padStart(11, '0')}`;
}
