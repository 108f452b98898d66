import { type ClosedLoop, runClosedLoop } from '../load/closed-loop';
import type { Contender } from '../measure/interleave';
import { metered } from '../measure/slice';
import type { Stage } from '../stage';

/** An HTTP server under closed-loop load, and what was asked of it so far. */
export interface HttpContender extends Contender {
  /** Acknowledged requests, over all slices. */
  answers(): number;
  slices(): number;
  /** Answers that were no success, and slices without any, which no ratio can be made of. */
  faults(): string[];
}

export type Load = Omit<ClosedLoop, 'durationMs'>;

export function httpContender(stage: Stage, name: string, pid: number, load: Load): HttpContender {
  const meters = { service: [{ pid }], ...stage.servers };
  let answers = 0;
  let slices = 0;
  let failures = 0;
  let silent = 0;
  return {
    name,
    slice: (ms) =>
      metered(meters, async () => {
        const { requests, failures: failed, ...times } = await runClosedLoop({ ...load, durationMs: ms });
        answers += requests - failed;
        failures += failed;
        slices += 1;
        if (requests === 0) silent += 1;
        return { count: requests, ...times };
      }),
    answers: () => answers,
    slices: () => slices,
    faults: () => [
      ...(failures === 0 ? [] : [`${name}: ${failures} requests failed`]),
      ...(silent === 0 ? [] : [`${name}: no answer at all in ${silent} slices`]),
    ],
  };
}

/** The most requests that the server may have done after their caller had left: one a connection, at the end of every slice. */
export function inFlightAtMost(contender: HttpContender, connections: number): number {
  return contender.slices() * connections;
}
