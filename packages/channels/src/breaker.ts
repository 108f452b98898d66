import CircuitBreaker from 'opossum';

/**
 * Keeps a channel that keeps failing from being tried: open after half of at least five calls failed within 30 s, and
 * probed by a single call after 15 s.
 */
export interface Breaker {
  /** False while it is open, and while the one call that probes it is under way. */
  closed(): boolean;
  /** True while the probe is under way: its answer is worth waiting for. */
  probing(): boolean;
  /** Runs a call and counts it; `undefined` when the breaker refused it because another probe is under way. */
  run<T>(call: () => Promise<T>, failed: (result: T) => boolean): Promise<T | undefined>;
}

const OPTIONS = {
  timeout: false,
  errorThresholdPercentage: 50,
  volumeThreshold: 5,
  rollingCountTimeout: 30_000,
  resetTimeout: 15_000,
} as const;

/** Carries a failed result out of the breaker, which counts only what is thrown. */
class CountedFailure extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('counted');
    this.result = result;
  }
}

export function createBreaker(): Breaker {
  const breaker = new CircuitBreaker(async (call: () => Promise<unknown>) => call(), OPTIONS);
  return {
    closed: () => breaker.closed || breaker.pendingClose,
    probing: () => breaker.halfOpen && !breaker.pendingClose,
    async run<T>(call: () => Promise<T>, failed: (result: T) => boolean) {
      try {
        return (await breaker.fire(async () => {
          const result = await call();
          if (failed(result)) throw new CountedFailure(result);
          return result;
        })) as T;
      } catch (error) {
        if (error instanceof CountedFailure) return error.result as T;
        if ((error as { code?: string }).code === 'EOPENBREAKER') return undefined;
        throw error;
      }
    },
  };
}
