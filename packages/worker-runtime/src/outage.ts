import { DatabaseConflictError, DatabaseUnavailableError } from '@mediagate/database';

/** Short, because once the database is back another worker may claim the task. */
export const OUTAGE_RETRY_MS = 200;

/** The database could not serve: nothing is decided, and trying again is right. */
export function isOutage(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError || error instanceof DatabaseConflictError;
}
