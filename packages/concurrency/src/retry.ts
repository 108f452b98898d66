import pRetry from 'p-retry';

export interface RetryOptions {
  /** Runs at most, the first included. Default: no limit. */
  tries?: number;
  /** The pause before the second run; each pause is twice the one before. A pause is spread over its own length, from 1 to 2 times. */
  firstPauseMs: number;
  /** Default: as `firstPauseMs`, so that every pause is equally long. */
  maxPauseMs?: number;
  /** No run begins later than this after the first one. Default: no limit. */
  withinMs?: number;
  /** Ends a pause at once, with its own reason. A run that heeds it must be given it by the caller. */
  signal?: AbortSignal | undefined;
  /** A pause does not keep the process alive. */
  unref?: boolean;
  /** Whether another run may help. A TypeError is a bug and is never run again. */
  isWorthRetrying(error: unknown): boolean;
}

/** Runs work again after errors that may pass. Rejects with the error of the last run. Work that succeeds at once costs nothing beside it. */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal } = options;
  signal?.throwIfAborted();
  const beganAt = performance.now();
  try {
    const result = await work();
    signal?.throwIfAborted();
    return result;
  } catch (error) {
    return await retryFailed(error, { work, beganAt, options });
  }
}

/** The first run has failed already: it counts, and so does the time that it took. */
function retryFailed<T>(
  failure: unknown,
  { work, beganAt, options }: { work: () => Promise<T>; beganAt: number; options: RetryOptions },
): Promise<T> {
  const { tries = Number.POSITIVE_INFINITY, firstPauseMs, maxPauseMs = firstPauseMs, withinMs, signal } = options;
  let isFirst = true;
  const run = async () => {
    if (!isFirst) return work();
    isFirst = false;
    throw failure;
  };
  return pRetry(run, {
    retries: tries - 1,
    minTimeout: firstPauseMs,
    // The library caps a pause after it has spread it.
    maxTimeout: 2 * maxPauseMs,
    factor: maxPauseMs > firstPauseMs ? 2 : 1,
    randomize: true,
    maxRetryTime:
      withinMs === undefined ? Number.POSITIVE_INFINITY : Math.max(0, withinMs - (performance.now() - beganAt)),
    unref: options.unref ?? false,
    ...(signal && { signal }),
    shouldRetry: ({ error }) => options.isWorthRetrying(error),
  });
}
