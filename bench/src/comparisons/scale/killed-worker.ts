import type { Outcome } from '../../comparison';
import { query } from '../../machine/query';
import { figure, type Goal } from '../../measure/figure';
import { until } from '../../measure/until';
import { auditFaults, type Books, openBooks } from '../../product/books';
import { startImageWorker, startReconciler } from '../../product/services';
import { submitTasks } from '../../product/tasks';
import type { Stage } from '../../stage';

/** The vendor answers none of the calls of the worker that is killed. */
const WORKER = { concurrency: 20, vendorMs: 120_000 };
const LIMIT_MS = 60_000;

const RECOVERED: Goal = {
  id: 'P19',
  measure: 'from the kill of an image worker until every task that it had is in other hands',
  threshold: { atMost: 20_000 },
  unit: 'ms',
};

/** Two image workers; one is killed while all its slots are at a vendor. */
export async function killedWorker(stage: Stage): Promise<Outcome> {
  const books = await openBooks(stage, 'killed');
  const upstream = await stage.startProgram('instruments/upstream.ts', { LATENCY_MS: String(WORKER.vendorMs) });
  const around = { books, upstreamUrl: upstream.url };
  const reconciler = await startReconciler(stage, around);
  const killed = await startImageWorker(stage, around, WORKER.concurrency);
  await submitTasks(books, { count: WORKER.concurrency });
  const leased = await untilLeased(books);
  const other = await startImageWorker(stage, around, WORKER.concurrency);
  process.kill(killed.pid, 'SIGKILL');
  const startedAt = performance.now();
  await untilNoneHas(books, leased);
  const tookMs = performance.now() - startedAt;
  for (const service of [other, reconciler, killed]) await stage.stop(service);
  const limit = `${leased.length} tasks`;
  return {
    figures: [figure(RECOVERED, { values: [tookMs], slices: [], limit })],
    faults: await auditFaults(books),
  };
}

interface Leased {
  id: string;
  fence: number;
}

/** Resolves with the tasks that the worker has leased, once its slots are full. */
function untilLeased(books: Books): Promise<Leased[]> {
  return until(LIMIT_MS, async () => {
    const found = await query<Leased>(
      books.url,
      `select id, fence from tasks where lease_until > now() and status = 'pending'`,
    );
    return found.length >= WORKER.concurrency && found;
  });
}

/** Resolves once each has been claimed under another fence, or has ended. */
async function untilNoneHas(books: Books, leased: readonly Leased[]): Promise<void> {
  const held = [leased.map(({ id }) => id), leased.map(({ fence }) => fence)];
  await until(LIMIT_MS, async () => (await query(books.url, READ_HELD, held)).length === 0);
}

const READ_HELD = `
select t.id from tasks t join unnest($1::text[], $2::int[]) as l(id, fence) on l.id = t.id and l.fence = t.fence
where t.status not in ('completed', 'failed')`;
