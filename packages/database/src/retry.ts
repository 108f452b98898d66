import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseConflictError, DatabaseUnavailableError } from './database-error';

const CONFLICT_RETRIES = 3;
const UNAVAILABLE_RETRIES = 1;
const BASE_DELAY_MS = 10;
/** A connection that breaks does so at once; a server that is silent is not asked twice while a caller waits. */
const OUTAGE_RETRY_WITHIN_MS = 500;

/**
 * Runs a statement that is safe to run twice: again after a lost race (at most three times) and once after a connection
 * that broke, which is how the doubt about a commit cut off in flight is resolved. Only for statements that recognise
 * their own earlier effect.
 */
export async function retrySafely<T>(
  run: () => Promise<T>,
  { conflictRetries = CONFLICT_RETRIES }: { conflictRetries?: number } = {},
): Promise<T> {
  let conflicts = 0;
  let outages = 0;
  const startedAt = performance.now();
  const isQuick = () => performance.now() - startedAt < OUTAGE_RETRY_WITHIN_MS;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (error instanceof DatabaseConflictError && conflicts < conflictRetries) conflicts += 1;
      else if (error instanceof DatabaseUnavailableError && outages < UNAVAILABLE_RETRIES && isQuick()) outages += 1;
      else throw error;
      await delay(BASE_DELAY_MS * (conflicts + outages) * (1 + Math.random()));
    }
  }
}
