import { retry } from '@mediagate/concurrency';
import { DatabaseConflictError, DatabaseUnavailableError } from './database-error';

const CONFLICT_RETRIES = 3;
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 40;
/** A connection that breaks does so at once; a server that is silent is not asked twice while a caller waits. */
const OUTAGE_RETRY_WITHIN_MS = 500;

/**
 * Runs a statement that is safe to run twice: again after a lost race (at most three times) and once after a connection
 * that broke, which resolves whether a commit cut off in flight took place. Only for statements that recognise their own
 * earlier effect.
 */
export function retrySafely<T>(
  run: () => Promise<T>,
  { conflictRetries = CONFLICT_RETRIES }: { conflictRetries?: number } = {},
): Promise<T> {
  let conflicts = 0;
  let outages = 0;
  const startedAt = performance.now();
  function isWorthRetrying(error: unknown): boolean {
    if (error instanceof DatabaseConflictError) {
      conflicts += 1;
      return conflicts <= conflictRetries;
    }
    if (!(error instanceof DatabaseUnavailableError)) return false;
    outages += 1;
    return outages === 1 && performance.now() - startedAt < OUTAGE_RETRY_WITHIN_MS;
  }
  return retry(run, { firstPauseMs: FIRST_PAUSE_MS, maxPauseMs: MAX_PAUSE_MS, isWorthRetrying });
}
