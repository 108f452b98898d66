import { taskError } from '@mediagate/billing';
import type { TaskId } from '@mediagate/contracts';
import { type Job, readOr } from '../job';
import type { Ending } from './expire-tasks';

const BATCH = 4000;
const EVERY_MS = 2000;
/**
 * A lease counts as abandoned once it has been lapsed for this long while the database answered throughout: after an outage
 * the processes that are alive renew their leases first.
 */
const LAPSED_FOR_MS = 8000;
/** Lease of this process on what it takes over, long enough to end it. */
const TAKEN_OVER_MS = 10_000;
const REFUND = { kind: 'failed', error: taskError('internal_error') } as const;

/**
 * Ends tasks that an API process ran by itself and abandoned: it was killed, or was frozen for longer than any caller waits.
 * What they had used by the last renewal of their leases is settled (`keepEnd`), and the others are refunded. Whatever that process writes
 * later carries an old fence and changes nothing.
 */
export function endAbandonedTasks(
  { database, finish }: Pick<Ending, 'database' | 'finish'>,
  { lapsedForMs = LAPSED_FOR_MS }: { lapsedForMs?: number | undefined } = {},
): Job {
  /** Since when each was found lapsed, by `performance.now()`. */
  let lapsedSince = new Map<TaskId, number>();
  const forget = () => lapsedSince.clear();

  return {
    name: 'end-abandoned-tasks',
    everyMs: EVERY_MS,
    async run() {
      const now = performance.now();
      const lapsed = (await readOr(forget, database.findAbandonedTasks(BATCH))).map(({ id }) => id);
      lapsedSince = new Map(lapsed.map((id) => [id, lapsedSince.get(id) ?? now]));
      const abandoned = lapsed.filter((id) => now - (lapsedSince.get(id) ?? now) >= lapsedForMs);
      if (abandoned.length === 0) return { done: 0, more: false };
      const taken = await database.takeOverTasks(abandoned, TAKEN_OVER_MS);
      const finished = await Promise.all(
        taken.map(({ id: taskId, fence, accountId }) => finish({ taskId, fence, accountId, outcome: REFUND })),
      );
      return { done: finished.filter(({ won }) => won).length, more: false };
    },
  };
}
