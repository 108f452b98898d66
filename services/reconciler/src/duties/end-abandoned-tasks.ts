import { type createFinisher, taskError } from '@mediagate/billing';
import type { TaskId } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { findAbandonedTasks, takeOverTasks } from '@mediagate/tasks';
import type { Duty } from '../duty';

const BITE = 4000;
const EVERY_MS = 2000;
/**
 * A lease counts as lapsed for good after so long without a renewal in which the database answered throughout: after an
 * outage the processes that live renew theirs first.
 */
const LAPSED_FOR_MS = 8000;
/** To end what was taken over. */
const TAKEN_OVER_MS = 10_000;

/**
 * Fails and refunds what an API process ran by itself and let go of: it was killed, or has been frozen for so long that its
 * caller cannot be waiting any more. What it writes when it comes back carries an old fence and changes nothing.
 */
export function endAbandonedTasks(
  database: Database,
  finish: ReturnType<typeof createFinisher>,
  { lapsedForMs = LAPSED_FOR_MS } = {},
): Duty {
  /** Since when each was found lapsed, by `performance.now()`. */
  let lapsedSince = new Map<TaskId, number>();

  async function look(): Promise<TaskId[]> {
    try {
      return await findAbandonedTasks(database, BITE);
    } catch (error) {
      lapsedSince = new Map();
      throw error;
    }
  }

  return {
    name: 'end-abandoned-tasks',
    everyMs: EVERY_MS,
    async run() {
      const now = performance.now();
      const lapsed = await look();
      lapsedSince = new Map(lapsed.map((id) => [id, lapsedSince.get(id) ?? now]));
      const abandoned = lapsed.filter((id) => now - (lapsedSince.get(id) ?? now) >= lapsedForMs);
      if (abandoned.length === 0) return { done: 0, more: false };
      const taken = await takeOverTasks(database, abandoned, TAKEN_OVER_MS);
      const error = taskError('internal_error');
      const finished = await Promise.all(
        taken.map(({ id: taskId, fence }) => finish({ taskId, fence, outcome: { kind: 'failed', error } })),
      );
      return { done: finished.filter(({ won }) => won).length, more: false };
    },
  };
}
