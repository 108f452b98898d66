import { createHttpSender } from '../load/http-sender';
import { runOpenLoop } from '../load/open-loop';
import type { Contender } from '../measure/interleave';
import { metered } from '../measure/slice';
import { percentile } from '../measure/statistics';
import type { Stage } from '../stage';
import { type Books, mustEqual } from './books';
import { submissionTo } from './submission-load';

export interface OpenLoopCaller extends Contender {
  /** Submissions that failed, and tasks that are not one for each answer. */
  faults(): Promise<string[]>;
}

export interface OpenLoopOptions {
  name: string;
  /** The process that is called. */
  pid: number;
  url: string;
  books: Books;
  perSecond: number;
  connections: number;
}

/** A caller who submits by the clock, whether answers come or not; its slices carry the latencies p50 and p99. */
export function openLoopCaller(stage: Stage, options: OpenLoopOptions): OpenLoopCaller {
  const { name, pid, url, books, perSecond, connections } = options;
  const load = submissionTo(url, books, connections);
  const sender = createHttpSender({ ...load, body: load.body ?? '' });
  stage.defer(() => sender.close());
  const meters = { service: [{ pid }], ...stage.servers };
  let answers = 0;
  let failures = 0;
  return {
    name,
    slice: (durationMs) =>
      metered(meters, async () => {
        const result = await runOpenLoop({ perSecond, durationMs, send: sender.send });
        const { latenciesMs } = result;
        answers += latenciesMs.length - result.failures;
        failures += result.failures;
        return {
          count: latenciesMs.length,
          seconds: durationMs / 1000,
          p50Ms: percentile(latenciesMs, 50),
          p99Ms: percentile(latenciesMs, 99),
        };
      }),
    faults: async () => [
      ...mustEqual(`${name}: failed requests`, failures, 0),
      ...mustEqual(`${name}: tasks`, await books.count('tasks'), answers),
    ],
  };
}
