import { createSimulatorControl, type SimulatorControl } from '../../../../simulator/test/simulator-control';
import type { Outcome } from '../../comparison';
import { query } from '../../machine/query';
import { type Figure, figure, type Goal } from '../../measure/figure';
import { until } from '../../measure/until';
import { auditFaults, type Books, mustEqual, openBooks } from '../../product/books';
import { startReconciler, startSimulator, startVideoWorker } from '../../product/services';
import { enqueue, submitVideos, untilEnded } from '../../product/tasks';
import type { Stage } from '../../stage';

const FULL = { tasks: 150, throttledMs: 60_000 };
const QUICK = { tasks: 30, throttledMs: 12_000 };
/** Requests that the vendor takes once it serves again: ten a second. */
const REQUESTS_PER_MINUTE = 600;
/** Jobs that are being started when the first refusal comes are refused too: 40 at most. */
const CHANNEL = { max_concurrency: 40, options: { max_check_seconds: 1 } };
const LIMIT_MS = 180_000;

const CALLS: Goal = {
  id: 'P19',
  measure: 'calls of a vendor that throttles everything for 60 s, with 150 tasks waiting',
  threshold: { atMost: 60 },
  unit: 'calls',
};
const RECOVERY: Goal = {
  id: 'P19',
  measure: 'from the end of that to the last of them begun, at ten a second',
  threshold: { atMost: 30_000 },
  unit: 'ms',
};

/** Ways in which a vendor says when to come back. The first has the whole minute; the others show the same in less. */
const WAITS = [
  { list: '', words: 'no Retry-After', share: 1 },
  { list: ',retry-after=0s', words: 'Retry-After: 0', share: 1 / 3 },
  { list: ',retry-after=5s', words: 'Retry-After: 5', share: 1 / 3 },
];

/** A vendor that refuses every start for a minute, by the simulator's own count of what it was asked. */
export async function throttle(stage: Stage): Promise<Outcome> {
  const books = await openBooks(stage, 'throttle', { accounts: 10 });
  const simulator = await startSimulator(stage);
  const { service: worker, configFile } = await startVideoWorker(stage, {
    books,
    simulatorUrl: simulator.url,
    fields: CHANNEL,
  });
  const reconciler = await startReconciler(stage, { books, configFile });
  const figures: Figure[] = [];
  for (const { list, words, share } of WAITS) {
    const throttledMs = (stage.quick ? QUICK : FULL).throttledMs * share;
    const { refused, recoveryMs } = await throttled(stage, books, {
      vendor: createSimulatorControl(simulator.url),
      list,
      throttledMs,
    });
    const limit = `${words}, ${throttledMs / 1000} s`;
    figures.push(figure(CALLS, { values: [refused], slices: [], limit }));
    figures.push(figure(RECOVERY, { values: [recoveryMs], slices: [], limit }));
  }
  const { tasks } = stage.quick ? QUICK : FULL;
  const faults = [
    ...mustEqual('tasks that failed', await books.count(`tasks where status = 'failed'`), 0),
    ...mustEqual('tasks that ended', await books.count(`tasks where status = 'completed'`), WAITS.length * tasks),
    ...(await auditFaults(books)),
  ];
  for (const service of [worker, reconciler]) await stage.stop(service);
  return { figures, faults };
}

interface Throttled {
  /** Starts that the vendor turned away. */
  refused: number;
  recoveryMs: number;
}

interface Outage {
  vendor: SimulatorControl;
  list: string;
  throttledMs: number;
}

async function throttled(stage: Stage, books: Books, { vendor, list, throttledMs }: Outage): Promise<Throttled> {
  const { tasks } = stage.quick ? QUICK : FULL;
  await vendor.reset();
  // As if the minute had passed after which a channel goes at any pace.
  await query(books.url, 'delete from channel_paces');
  await vendor.setLimit('dashscope', REQUESTS_PER_MINUTE);
  const scenario = `throttle-rate=${throttledMs / 1000}s${list}`;
  await vendor.setRules([{ match: { path: 'video-synthesis' }, scenario, per: 'rule' }]);
  const ids = await submitVideos(
    books,
    Array.from({ length: tasks }, () => 'a kite over a beach'),
  );
  await enqueue(stage, 'video', ids);
  const starts = await untilAll(vendor, tasks);
  const accepted = starts.filter((entry) => entry.accepted);
  await untilEnded(books, LIMIT_MS);
  const endsAt = Number(starts[0]?.at) + throttledMs;
  return {
    refused: starts.filter((entry) => !entry.accepted && entry.at < endsAt).length,
    recoveryMs: Math.max(...accepted.map(({ at }) => at)) - endsAt,
  };
}

/** Every start that the vendor saw, once it has taken them all. */
async function untilAll(vendor: SimulatorControl, tasks: number) {
  return until(LIMIT_MS, async () => {
    const starts = (await vendor.journal()).filter(({ operation }) => operation === 'start');
    return starts.filter(({ accepted }) => accepted).length >= tasks && starts;
  });
}
