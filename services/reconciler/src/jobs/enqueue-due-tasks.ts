import { type Family, WORKER_FAMILIES } from '@mediagate/contracts';
import type { Database, DueAfter, DueTask } from '@mediagate/database';
import type { Queues } from '@mediagate/queue';
import type { Job } from '../job';

/** How long a healthy queue may take from the commit of a row to the claim of its task. */
const GRACE_MS = 2000;
/** Tasks of each family in one look: bounds what the look costs the database and Redis, however much is due. */
const BATCH = 1000;

/**
 * Enqueues tasks that are due, that no worker has, and of which the queue has no job: lost, or left by a dead worker. It walks
 * through the due tasks, a batch of each family a look, and asks the queue; it writes nothing where nothing is lost. It leaves
 * tasks that wait for the dispatcher alone.
 */
export function enqueueDueTasks(
  database: Pick<Database, 'findDueTasks'>,
  queues: Pick<Queues, 'findMissing' | 'enqueueTasks'>,
): Job {
  /** Where each family's next look goes on; absent: at the longest due. */
  const places = new Map<Family, DueAfter['after']>();

  async function enqueueMissing(family: Family, due: readonly DueTask[]): Promise<number> {
    const tasks = due.map(({ id: taskId, ...task }) => ({ ...task, taskId }));
    const missing = await queues.findMissing(family, tasks);
    await queues.enqueueTasks(family, missing);
    places.set(family, due.length < BATCH ? null : (due.at(-1) ?? null));
    return missing.length;
  }

  return {
    name: 'enqueue-due-tasks',
    everyMs: 1000,
    async run() {
      const wanted = WORKER_FAMILIES.map((family) => ({ family, after: places.get(family) ?? null }));
      const due = await database.findDueTasks(wanted, { graceMs: GRACE_MS, limit: BATCH });
      let done = 0;
      let isLosing = false;
      for (const family of WORKER_FAMILIES) {
        const missing = await enqueueMissing(
          family,
          due.filter((task) => task.family === family),
        );
        done += missing;
        isLosing ||= missing === BATCH;
      }
      return { done, more: isLosing };
    },
  };
}
