import { auditByClock } from '@mediagate/billing';
import type { TaskId } from '@mediagate/contracts';
import type { Outcome } from '../../comparison';
import { type Figure, figure, type Goal } from '../../measure/figure';
import { type Contender, interleave } from '../../measure/interleave';
import { metered, perSecond, type Slice } from '../../measure/slice';
import { median } from '../../measure/statistics';
import { auditFaults, type Books, openBooks } from '../../product/books';
import { type HttpContender, httpContender } from '../../product/http-contender';
import { fillLists } from '../../product/list-rows';
import { startApi } from '../../product/services';
import { authorization, submissionTo } from '../../product/submission-load';
import { completeTasks, submitTasks } from '../../product/tasks';
import type { Stage } from '../../stage';

const ROWS = { full: 300_000, quick: 20_000 };
const CALLERS = 16;
const POLLED_TASKS = 500;
const ENDED_TOGETHER = 300;
/** Entries of the books beyond which the audit by the clock goes by seals. */
const SEALED = { full: 160_000, quick: 2000 };
const BOOKED_SINCE = { full: 5000, quick: 500 };
const WHOLE_UP_TO = { full: 300_000n, quick: 3000n };

const SLOWER: Goal = {
  id: 'P19',
  measure: 'an operation in a database of ended tasks',
  against: 'in an empty one',
  threshold: { atMost: 1.3 },
  unit: 'x',
};
const AUDIT: Goal = {
  id: 'P19',
  measure: 'a round of the audit by the clock, in books that are sealed',
  threshold: { atMost: 1000 },
  unit: 'ms',
};

/** Measures submissions, polls, lists and ends where many tasks have ended, in turns with an empty database; and an audit. */
export async function endedTasks(stage: Stage): Promise<Outcome> {
  const [empty, full] = [await openBooks(stage, 'none_ended'), await openBooks(stage, 'many_ended')];
  const { tasks } = await fillLists(full, stage.rows ?? (stage.quick ? ROWS.quick : ROWS.full));
  const sides = [await openSide(stage, empty), await openSide(stage, full)] as const;
  const figures: Figure[] = [];
  for (const name of ['submission', 'poll', 'list', 'end'] as const) {
    const [ofEmpty = [], ofFull = []] = await interleave(
      sides.map((side) => side.contenders[name]),
      stage.pace,
    );
    figures.push(slowerFigure(`${name}, ${tasks} tasks`, ofEmpty, ofFull));
  }
  for (const { stop } of sides) await stop();
  const audited = await auditRound(stage);
  return {
    figures: [...figures, audited.figure],
    faults: [...sides.flatMap(({ faults }) => faults()), ...(await auditFaults(empty)), ...audited.faults],
  };
}

async function openSide(stage: Stage, books: Books) {
  const polled = await submitTasks(books, { count: POLLED_TASKS });
  await completeTasks(books, polled);
  const api = await startApi(stage, books);
  const reading = { headers: authorization(books), method: 'GET', connections: CALLERS, url: api.url } as const;
  const http = {
    submission: httpContender(stage, 'submission', api.pid, submissionTo(api.url, books, CALLERS)),
    poll: httpContender(stage, 'poll', api.pid, { ...reading, paths: polled.map((id) => `/v1/tasks/${id}`) }),
    list: httpContender(stage, 'list', api.pid, { ...reading, paths: ['/v1/tasks?limit=20'] }),
  };
  return {
    contenders: { ...http, end: endContender(stage, books) },
    faults: () => Object.values<HttpContender>(http).flatMap((side) => side.faults()),
    stop: () => stage.stop(api),
  };
}

/** Ends tasks as a worker does, many at once, in this process. */
function endContender(stage: Stage, books: Books): Contender {
  const meters = { service: [{ pid: process.pid }], postgres: stage.servers.postgres, redis: stage.servers.redis };
  return {
    name: 'end',
    async slice(ms) {
      const batches: TaskId[][] = [];
      while (batches.length < ms / BATCH_MS) batches.push(await submitTasks(books, { count: ENDED_TOGETHER }));
      return metered(meters, async () => {
        const startedAt = performance.now();
        for (const batch of batches) await completeTasks(books, batch);
        return { count: batches.length * ENDED_TOGETHER, seconds: (performance.now() - startedAt) / 1000 };
      });
    },
  };
}

/** About what a batch of ends takes. */
const BATCH_MS = 200;

function slowerFigure(what: string, empty: readonly Slice[], full: readonly Slice[]): Figure {
  const postgres = (slices: readonly Slice[]) =>
    median(slices.map(({ cpu, count }) => (cpu?.postgres ?? Number.NaN) / count)).toFixed(0);
  return figure(
    { ...SLOWER, measure: `${SLOWER.measure}: ${what}` },
    {
      values: empty.map((slice, round) => perSecond(slice) / perSecond(full[round] as Slice)),
      slices: [],
      product: median(full.map(perSecond)),
      reference: median(empty.map(perSecond)),
      limit: `PostgreSQL ${postgres(full)} µs, ${postgres(empty)} µs in the empty one`,
    },
  );
}

/** Books that were sealed once, and what was booked since. */
async function auditRound(stage: Stage): Promise<{ figure: Figure; faults: string[] }> {
  const size = stage.quick ? 'quick' : 'full';
  const books = await openBooks(stage, 'sealed', { accounts: 100 });
  const book = async (count: number) => completeTasks(books, await submitTasks(books, { count }));
  const round = () => auditByClock(books.database, { everyMs: 0, wholeUpTo: WHOLE_UP_TO[size] });
  await book(SEALED[size]);
  const first = await round();
  await book(BOOKED_SINCE[size]);
  const startedAt = performance.now();
  const second = await round();
  const tookMs = performance.now() - startedAt;
  const found = [first, second].flatMap((run) => run?.violations ?? []);
  const limit = `${BOOKED_SINCE[size]} tasks booked since, ${SEALED[size]} before; of the whole: ${second?.whole}`;
  return {
    figure: figure(AUDIT, { values: [tookMs], slices: [], limit }),
    faults: found.map(({ invariant, subject }) => `audit: ${invariant}: ${subject}`).slice(0, 5),
  };
}
