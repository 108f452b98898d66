import type { Job } from '../job';
import { type Ending, failTasks } from './fail-tasks';

const BATCH = 100;
/** Lease of this process on what it takes over, long enough to end it. */
const TAKEN_OVER_MS = 10_000;

/**
 * Fails and refunds tasks of which no attempt began within their `expires_in`. Either an attempt begins or the task is taken
 * over, never both: a worker that claimed it before begins nothing under its old fence.
 */
export function expireUnstartedTasks(tasks: Ending): Job {
  return {
    name: 'expire-unstarted-tasks',
    everyMs: 1000,
    async run() {
      const taken = await tasks.database.takeOverUnstartedTasks(BATCH, TAKEN_OVER_MS);
      const done = await failTasks(tasks, taken, 'expired_before_start');
      return { done, more: taken.length === BATCH };
    },
  };
}
