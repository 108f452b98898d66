import { runStreamLoad } from '../load/first-byte';
import type { Contender } from '../measure/interleave';
import { metered } from '../measure/slice';
import { percentile } from '../measure/statistics';
import type { Stage } from '../stage';
import type { Request } from './fast-paths';

/** Callers who read streamed answers; a slice's latencies are those of the first byte. */
export interface StreamContender extends Contender {
  /** Whole answers, over all slices. */
  answers(): number;
  faults(): string[];
}

export interface StreamContenderOptions {
  name: string;
  pids: readonly number[];
  request: Request;
  callers: number;
}

export function streamContender(stage: Stage, options: StreamContenderOptions): StreamContender {
  const { name, pids, request, callers } = options;
  const service = pids.map((pid) => ({ pid }));
  const meters = { service, ...stage.servers };
  let answers = 0;
  const failures: string[] = [];
  return {
    name,
    slice: (durationMs) =>
      metered(meters, async () => {
        const result = await runStreamLoad({ ...request, callers, durationMs });
        answers += result.answers;
        failures.push(...result.failures);
        const { seconds, firstByteMs } = result;
        const times = { p50Ms: percentile(firstByteMs, 50), p99Ms: percentile(firstByteMs, 99) };
        return { count: result.answers, seconds, ...times };
      }),
    answers: () => answers,
    faults: () =>
      failures.length === 0
        ? []
        : [`${name}: ${failures.length} answers did not come whole, the first: ${failures[0]}`],
  };
}
