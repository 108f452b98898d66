import { type AttemptToBegin, createBatcher, type Database } from '@mediagate/database';
import { MAX_BATCH_ITEMS, MAX_WAITING_ITEMS } from './batch-limits';

/** Writes the intent of an attempt, on a channel without a limit; what begins at the same time shares one statement. */
export function createAttemptBeginner(database: Database): (attempt: AttemptToBegin) => Promise<'begun' | 'lost'> {
  return createBatcher<AttemptToBegin, 'begun' | 'lost'>({
    maxItems: MAX_BATCH_ITEMS,
    maxWaiting: MAX_WAITING_ITEMS,
    tally: database.tally('attempts'),
    run: async (items) => {
      const begun = new Set((await database.beginAttempts(items)).map(({ id }) => id));
      return items.map(({ attemptId }) => (begun.has(attemptId) ? 'begun' : 'lost'));
    },
  });
}
