import CircuitBreaker from 'opossum';

/** What a call says of its channel. One that its own caller ended says nothing, and is not counted. */
export type Verdict = 'success' | 'failure' | 'uncounted';

/**
 * Keeps a channel that keeps failing from being tried: open after half of at least five counted calls failed within 30 s,
 * and probed by a single call after 15 s. A probe that is not counted leaves the breaker to the next one.
 */
export interface Breaker {
  /** False while it is open, and while the one call that probes it is under way. */
  closed(): boolean;
  /** True while the probe is under way: its answer is worth waiting for. */
  probing(): boolean;
  /** Runs a call and counts it; `undefined` when it is open, or another probe is under way. What throws is a failure. */
  run<T>(call: () => Promise<T>, judge: (result: T) => Verdict): Promise<T | undefined>;
  /** Counts what became known of a call after it ended. */
  count(verdict: Verdict): Promise<void>;
}

const OPTIONS = {
  timeout: false,
  errorThresholdPercentage: 50,
  volumeThreshold: 5,
  rollingCountTimeout: 30_000,
  resetTimeout: 15_000,
} as const;

export function createBreaker(): Breaker {
  // The library counts a call from its beginning on, and always as one of two; so it is shown only those that count, afterwards.
  const breaker = new CircuitBreaker(async (isFailure: boolean) => {
    if (isFailure) throw new Error('a failed call');
  }, OPTIONS);
  let isProbed = false;

  const closed = () => breaker.closed || (breaker.pendingClose && !isProbed);

  /** While the breaker is not closed only the probe counts: all else began before it opened. */
  async function count(verdict: Verdict, isProbe = false): Promise<void> {
    if (verdict === 'uncounted' || !(breaker.closed || isProbe)) return;
    await breaker.fire(verdict === 'failure').catch(() => undefined);
  }

  return {
    closed,
    count: (verdict) => count(verdict),
    probing: () => breaker.halfOpen && isProbed,
    async run(call, judge) {
      if (!closed()) return undefined;
      const isProbe = !breaker.closed;
      if (isProbe) isProbed = true;
      let verdict: Verdict = 'failure';
      try {
        const result = await call();
        verdict = judge(result);
        return result;
      } finally {
        await count(verdict, isProbe);
        if (isProbe) isProbed = false;
      }
    },
  };
}
