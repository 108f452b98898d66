import { setTimeout as delay, setImmediate } from 'node:timers/promises';

export interface OpenLoop {
  perSecond: number;
  durationMs: number;
  /** Sends one request; false when it was not answered as it should be. Never rejects. */
  send(): Promise<boolean>;
}

export interface OpenLoopResult {
  /** One for each request, in the order of their schedule. */
  latenciesMs: number[];
  failures: number;
}

/** Timers fire up to this much late; the rest of a wait is spent looking at the clock. */
const TIMER_SLACK_MS = 2;

/**
 * Requests by the clock, whatever becomes of those before: request i is due i periods after the start, and its latency
 * counts from that moment, not from when it was sent. A server that stalls is thus charged for everyone who would have
 * waited. Resolves once all are answered.
 */
export async function runOpenLoop({ perSecond, durationMs, send }: OpenLoop): Promise<OpenLoopResult> {
  const periodMs = 1000 / perSecond;
  const count = Math.floor(durationMs / periodMs);
  const latenciesMs = new Array<number>(count).fill(Number.NaN);
  let failures = 0;

  async function request(index: number, dueAt: number): Promise<void> {
    if (!(await send())) failures += 1;
    latenciesMs[index] = performance.now() - dueAt;
  }

  const startedAt = performance.now();
  const requests: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const dueAt = startedAt + index * periodMs;
    await until(dueAt);
    requests.push(request(index, dueAt));
  }
  await Promise.all(requests);
  return { latenciesMs, failures };
}

async function until(time: number): Promise<void> {
  const waitMs = time - performance.now();
  if (waitMs > TIMER_SLACK_MS) await delay(waitMs - TIMER_SLACK_MS);
  // Answers are read between two looks, so a wait delays none.
  while (performance.now() < time) await setImmediate();
}
