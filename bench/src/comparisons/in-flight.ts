import type { TaskId } from '@mediagate/contracts';
import type { Comparison, Outcome } from '../comparison';
import { peakMemoryMib } from '../machine/memory';
import { query } from '../machine/query';
import { type Figure, figure, type Goal } from '../measure/figure';
import { percentile } from '../measure/statistics';
import { until } from '../measure/until';
import { auditFaults, type Books, mustEqual, openBooks } from '../product/books';
import { startSimulator, startVideoWorker } from '../product/services';
import { enqueue, submitVideos } from '../product/tasks';
import type { Stage } from '../stage';

/** The longest pause between two looks at a job, in seconds: the default of a video channel. */
const CHECK_INTERVAL_SECONDS = 10;
const FULL = { inFlight: 10_000, watched: 300, stuck: 400 };
const QUICK = { inFlight: 1000, watched: 30, stuck: 100 };
/** The watched videos take this long at their vendor, spread evenly, so that each ends while all others are still under way. */
const FROM_SECONDS = 60;
const TO_SECONDS = 100;
const LIMIT_MS = 300_000;

const LAG: Goal = {
  id: 'P14',
  measure: 'lag p99 with 10,000 videos in flight',
  against: `the check interval, ${CHECK_INTERVAL_SECONDS} s`,
  threshold: { atMost: 2 },
  unit: 'x',
};
const STUCK_LAG: Goal = { ...LAG, measure: 'the same, with 400 that do not answer' };
const MEMORY: Goal = { id: 'P14', measure: 'memory of the worker, peak', threshold: { atMost: 512 }, unit: 'MiB' };

/**
 * Ten thousand videos under way in one worker process: how long after its vendor is done a task is completed, result stored
 * and covered, then the same while four hundred jobs, more than the worker has slots, hang at every question. Watched videos end;
 * the rest never do.
 */
export const inFlight: Comparison = {
  name: 'in-flight',
  goals: ['P14'],
  async run(stage): Promise<Outcome> {
    const { inFlight: count, watched, stuck } = stage.quick ? QUICK : FULL;
    const books = await openBooks(stage, 'product', { accounts: 100 });
    const simulator = await startSimulator(stage);
    const { service: worker } = await startVideoWorker(stage, { books, simulatorUrl: simulator.url });
    await start(
      stage,
      books,
      Array.from({ length: count - watched }, () => prompt('latency=60m')),
    );
    const calm = await watch(stage, books, watched);
    await start(
      stage,
      books,
      Array.from({ length: stuck }, () => prompt('latency=60m,check-latency=10m')),
    );
    const beset = await watch(stage, books, watched);
    return {
      figures: [lagFigure(LAG, calm), lagFigure(STUCK_LAG, beset), memoryFigure(worker.pid)],
      faults: [
        ...mustEqual('completed', await books.count(`tasks where status = 'completed'`), 2 * watched),
        ...mustEqual('failed', await books.count(`tasks where status = 'failed'`), 0),
        ...mustEqual('starts', await books.count('task_attempts'), count + watched + stuck),
        ...(await auditFaults(books)),
      ],
    };
  },
};

function prompt(directives: string): string {
  return `a kite over a beach [[sim:${directives}]]`;
}

/** Books and enqueues them; resolves when the vendor has accepted all. */
async function start(stage: Stage, books: Books, prompts: readonly string[]): Promise<TaskId[]> {
  const ids = await submitVideos(books, prompts);
  await enqueue(stage, 'video', ids);
  await until(
    LIMIT_MS,
    async () => (await books.count(`tasks where status = 'submitted' or attempt_state = 'starting'`)) === 0,
  );
  return ids;
}

/** Seconds from the moment a vendor was done until the task was completed, of each. */
async function watch(stage: Stage, books: Books, count: number): Promise<number[]> {
  const step = (TO_SECONDS - FROM_SECONDS) / count;
  const seconds = Array.from({ length: count }, (_, index) => Math.round(FROM_SECONDS + index * step));
  const ids = await start(
    stage,
    books,
    seconds.map((each) => prompt(`latency=${each}s`)),
  );
  const ended = async () => {
    const rows = await readEnded(books, ids);
    return rows.length === count && rows;
  };
  const rows = await until(LIMIT_MS, ended);
  const secondsOf = new Map(ids.map((id, index) => [id, seconds[index] ?? 0]));
  return rows.map(({ id, took }) => took - (secondsOf.get(id) ?? 0));
}

/** From the moment before the vendor was asked, which makes the lag a little longer than it was. */
const READ_ENDED = `
select t.id, extract(epoch from t.completed_at - a.started_at)::float8 as took
from tasks t join task_attempts a on a.task_id = t.id
where t.id = any($1::text[]) and t.status = 'completed'`;

function readEnded({ url }: Books, ids: readonly TaskId[]) {
  return query<{ id: TaskId; took: number }>(url, READ_ENDED, [ids]);
}

function lagFigure(goal: Goal, lags: readonly number[]): Figure {
  const p50 = percentile(lags, 50).toFixed(1);
  const p99 = percentile(lags, 99);
  const limit = `p50 ${p50} s, p99 ${p99.toFixed(1)} s`;
  return figure(goal, { values: [p99 / CHECK_INTERVAL_SECONDS], slices: [], limit });
}

function memoryFigure(pid: number): Figure {
  return figure(MEMORY, { values: [peakMemoryMib(pid)], slices: [], limit: 'the engine and its libraries' });
}
