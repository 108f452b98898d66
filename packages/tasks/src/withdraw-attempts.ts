import { type AttemptToWithdraw, createBatcher, type Database } from '@mediagate/database';
import { MAX_BATCH_ITEMS, MAX_WAITING_ITEMS } from './batch-limits';

/** Takes back intents that were not sent; those of the same time share one statement. Answers the task's next fence, if it goes on. */
export function createAttemptWithdrawer(database: Database): (item: AttemptToWithdraw) => Promise<number | undefined> {
  return createBatcher<AttemptToWithdraw, number | undefined>({
    maxItems: MAX_BATCH_ITEMS,
    maxWaiting: MAX_WAITING_ITEMS,
    tally: database.tally('withdrawals'),
    run: async (items) => {
      const rows = await database.withdrawAttempts(items);
      const fences = new Map(rows.map(({ attemptId, fence }) => [attemptId, fence]));
      return items.map(({ attemptId }) => fences.get(attemptId));
    },
  });
}
