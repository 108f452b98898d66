import { setTimeout as delay } from 'node:timers/promises';
import type { Outcome } from '../../comparison';
import { query } from '../../machine/query';
import { figure, type Goal } from '../../measure/figure';
import { auditFaults, type Books, mustEqual, openBooks } from '../../product/books';
import { startImageWorker, startReconciler } from '../../product/services';
import { submitTasks, untilEnded } from '../../product/tasks';
import type { Stage } from '../../stage';

const FULL = { tasks: 4000 };
const QUICK = { tasks: 200 };
const ACCOUNTS = 4;
/** The channel takes some 160 tasks a second, and the workers could do with six times as many slots. */
const CHANNEL = { slots: 8, vendorMs: 50 };
const WORKER_CONCURRENCY = 50;
/** Sessions report what they did once a second, at the end of a statement. */
const REPORT_MS = 1500;
const LIMIT_MS = 150_000;

const TRANSACTIONS: Goal = {
  id: 'P19',
  measure: 'transactions a task, of 4,000 that wait for a channel with 8 slots',
  threshold: { atMost: 12 },
  unit: 'x',
};
const STARTS: Goal = { ...TRANSACTIONS, measure: 'vendor starts a task of them', threshold: { atMost: 1.02 } };
const ORDER: Goal = {
  ...TRANSACTIONS,
  unit: 'rows',
  measure: 'places out of order at which they began, of each account, at most',
  threshold: { atMost: 500 },
};

/** Far more tasks than the one channel has slots for, from their start to their end. */
export async function fullChannel(stage: Stage): Promise<Outcome> {
  const { tasks } = stage.quick ? QUICK : FULL;
  const books = await openBooks(stage, 'full', { accounts: ACCOUNTS });
  const upstream = await stage.startProgram('instruments/upstream.ts', { LATENCY_MS: String(CHANNEL.vendorMs) });
  const around = { books, upstreamUrl: upstream.url, maxConcurrency: CHANNEL.slots };
  await submitTasks(books, { count: tasks });
  const before = await settledTransactions(books);
  const services = [await startReconciler(stage, around), await startImageWorker(stage, around, WORKER_CONCURRENCY)];
  const beganAt = performance.now();
  const openTasks = await untilEnded(books, LIMIT_MS);
  const seconds = (performance.now() - beganAt) / 1000;
  const used = (await settledTransactions(books)) - before;
  const [starts] = await query<{ attempts: number; displaced: number }>(books.url, READ_STARTS);
  const faults = [...mustEqual('tasks that have not ended', openTasks, 0), ...(await auditFaults(books))];
  for (const service of services) await stage.stop(service);
  const [attempts, displaced] = [starts?.attempts ?? Number.NaN, starts?.displaced ?? Number.NaN];
  const limit = `${(tasks / seconds).toFixed(0)} tasks/s of the ${(CHANNEL.slots * 1000) / CHANNEL.vendorMs} that the vendor takes`;
  const one = (goal: Goal, value: number) => figure(goal, { values: [value], slices: [], limit });
  return { figures: [one(TRANSACTIONS, used / tasks), one(STARTS, attempts / tasks), one(ORDER, displaced)], faults };
}

async function settledTransactions({ url }: Books): Promise<number> {
  await delay(REPORT_MS);
  const [row] = await query<{ done: number }>(url, READ_TRANSACTIONS);
  return row?.done ?? Number.NaN;
}

const READ_TRANSACTIONS = `
select (xact_commit + xact_rollback)::float8 as done from pg_stat_database where datname = current_database()`;

const READ_STARTS = `
with started as (
  select t.account_id, row_number() over (partition by t.account_id order by t.id) as submitted,
    row_number() over (partition by t.account_id order by a.started_at, a.id) as began
  from tasks t join task_attempts a on a.task_id = t.id and a.number = 1
)
select (select count(*) from task_attempts)::int as attempts, max(abs(submitted - began))::int as displaced from started`;
