import { retry } from '@mediagate/concurrency';
import { isOutage } from '@mediagate/database';

/** Short, because once the database is back another worker may claim the task. A pause is spread to twice its length. */
const RETRY_MS = 200;
export const MOST_RETRY_MS = 2 * RETRY_MS;

export interface OutageOptions {
  signal?: AbortSignal;
  /** Whether the work is still wanted; default: always. */
  isWorthRetrying?(): boolean;
}

/** Repeats work for as long as the database is away and the work is wanted. */
export function outliveOutage<T>(work: () => Promise<T>, options: OutageOptions): Promise<T> {
  const { signal, isWorthRetrying = () => true } = options;
  return retry(work, {
    firstPauseMs: RETRY_MS,
    signal,
    isWorthRetrying: (error) => isOutage(error) && isWorthRetrying(),
  });
}
