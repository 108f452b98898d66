import { setTimeout as delay } from 'node:timers/promises';
import { newTaskId } from '@mediagate/contracts';
import { openQueueViews } from '@mediagate/queue';
import type { Outcome } from '../../comparison';
import { cpuMicros } from '../../machine/cpu';
import { query } from '../../machine/query';
import { type Figure, figure, type Goal } from '../../measure/figure';
import { type Books, openBooks } from '../../product/books';
import { PRODUCT_REDIS, startReconciler } from '../../product/services';
import type { Stage } from '../../stage';

const FULL = { tasks: 200_000, sliceMs: 10_000 };
const QUICK = { tasks: 10_000, sliceMs: 2000 };
/** The reconciler fills the queue first. */
const SETTLE_MS = 5000;
const FIND_LIMIT_MS = 30_000;
const LOOK_EVERY_MS = 50;
const MICROS_PER_PERCENT = 10_000;

const FOUND: Goal = {
  id: 'P19',
  measure: 'until a lost job of another family is found, beside 200,000 due tasks of one whose workers are away',
  threshold: { atMost: 5000 },
  unit: 'ms',
};
const STATEMENTS: Goal = {
  id: 'P19',
  measure: 'transactions a second of the reconciler beside them',
  against: 'an empty database',
  threshold: { atMost: 1.5 },
  unit: 'x',
};
const CPU: Goal = { ...STATEMENTS, measure: 'CPU of the reconciler beside them', threshold: { atMost: 2 } };

/** Measures the reconciler while nobody takes what it has enqueued: first with nothing due, then with 200,000 videos. */
export async function backlog(stage: Stage): Promise<Outcome> {
  const { tasks, sliceMs } = stage.quick ? QUICK : FULL;
  const books = await openBooks(stage, 'backlog');
  const reconciler = await startReconciler(stage, { books });
  await delay(SETTLE_MS);
  const empty = await spend(stage, { books, pid: reconciler.pid, sliceMs });
  await query(books.url, INSERT_WAITING, [books.accounts[0]?.key.id, tasks]);
  await query(books.url, 'vacuum analyze tasks');
  await query(books.url, 'checkpoint');
  await delay(SETTLE_MS);
  const full = await spend(stage, { books, pid: reconciler.pid, sliceMs });
  const foundMs = await untilFound(stage, books);
  await stage.stop(reconciler);
  return {
    figures: [
      figure(FOUND, { values: [foundMs], slices: [], limit: 'a look each second' }),
      ratio(STATEMENTS, [full.transactions, empty.transactions], ''),
      ratio(
        CPU,
        [full.reconciler, empty.reconciler],
        `; PostgreSQL ${empty.postgres.toFixed(1)} and ${full.postgres.toFixed(1)}`,
      ),
    ],
    faults: [],
  };
}

interface Spent {
  /** A second. */
  transactions: number;
  /** CPU in percent of one core. */
  reconciler: number;
  postgres: number;
}

async function spend(
  stage: Stage,
  { books, pid, sliceMs }: { books: Books; pid: number; sliceMs: number },
): Promise<Spent> {
  const read = async () => ({
    at: performance.now(),
    reconciler: cpuMicros([{ pid }]) ?? Number.NaN,
    postgres: cpuMicros([stage.servers.postgres]) ?? Number.NaN,
    transactions: await countTransactions(books),
  });
  const before = await read();
  await delay(sliceMs);
  const after = await read();
  const seconds = (after.at - before.at) / 1000;
  return {
    transactions: (after.transactions - before.transactions) / seconds,
    reconciler: (after.reconciler - before.reconciler) / seconds / MICROS_PER_PERCENT,
    postgres: (after.postgres - before.postgres) / seconds / MICROS_PER_PERCENT,
  };
}

/** Sessions report what they did once a second, at the end of a statement. */
async function countTransactions({ url }: Books): Promise<number> {
  const [row] = await query<{ done: number }>(url, READ_TRANSACTIONS);
  return row?.done ?? Number.NaN;
}

const READ_TRANSACTIONS = `
select (xact_commit + xact_rollback)::float8 as done from pg_stat_database where datname = current_database()`;

function ratio(goal: Goal, [full, empty]: readonly [full: number, empty: number], more: string): Figure {
  const limit = `${empty.toFixed(1)} without, ${full.toFixed(1)} with them${more}`;
  return figure(goal, { values: [full / empty], slices: [], product: full, reference: empty, limit });
}

/** An image whose worker died, from the moment at which it is due for the reconciler. */
async function untilFound(stage: Stage, books: Books): Promise<number> {
  const views = openQueueViews({ redisUrl: stage.servers.redisUrl(PRODUCT_REDIS) });
  stage.defer(() => views.close());
  await query(books.url, INSERT_LOST, [newTaskId(), books.accounts[0]?.key.id]);
  const startedAt = performance.now();
  while (performance.now() - startedAt < FIND_LIMIT_MS) {
    const image = (await views.counts()).find(({ name }) => name === 'image');
    if ((image?.waiting ?? 0) > 0) break;
    await delay(LOOK_EVERY_MS);
  }
  return performance.now() - startedAt;
}

const COLUMNS = `(id, account_id, key_id, family, kind, model, operation, input, rates, catalogue_version, reserved_nano,
  deadline_at, next_step_at, status, lease_until)`;

const INSERT_WAITING = `
insert into tasks ${COLUMNS}
select 'task_' || lpad(translate(to_hex(n), 'ilou', 'jkmn'), 26, '0'), k.account_id, k.id, 'video', 'video', 'a-model', 'videos.generations',
  '{}', '{}', 1, 5, now() + interval '1 day', now() - make_interval(secs => 600 - n::float8 / 1000), 'submitted', null
from api_keys k, generate_series(1, $2::int) n where k.id = $1`;

const INSERT_LOST = `
insert into tasks ${COLUMNS}
select $1, k.account_id, k.id, 'image', 'image', 'a-model', 'images.generations',
  '{}', '{}', 1, 5, now() + interval '1 day', now() - interval '3 seconds', 'pending', now() - interval '1 second'
from api_keys k where k.id = $2`;
