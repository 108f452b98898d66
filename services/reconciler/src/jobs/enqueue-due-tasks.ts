import type { Family } from '@mediagate/contracts';
import type { Database, DueTask } from '@mediagate/database';
import type { Queues } from '@mediagate/queue';
import type { Job } from '../job';

/** What a healthy queue may take from the commit of a row to the claim of its task. */
const GRACE_MS = 2000;
const BATCH = 500;
const FORGET_BATCH = 2000;

/**
 * Enqueues tasks that are due and that no worker has: committed and never enqueued, lost with Redis, or left by a dead
 * worker. The queue's job id contains the row's fence, so enqueueing a task twice adds nothing.
 */
export function enqueueDueTasks(database: Database, queues: Queues): Job {
  // Redis reports its loss once; the flag stays up until every row is marked as not enqueued.
  let jobsLost = false;

  async function forgetLostJobs(): Promise<void> {
    jobsLost ||= await queues.jobsWereLost();
    while (jobsLost) jobsLost = (await database.forgetEnqueued(FORGET_BATCH)).length === FORGET_BATCH;
  }

  return {
    name: 'enqueue-due-tasks',
    everyMs: 1000,
    async run() {
      await forgetLostJobs();
      const due = await database.findDueTasks({ graceMs: GRACE_MS, limit: BATCH });
      for (const [family, tasks] of byFamily(due)) {
        await queues.enqueueTasks(
          family,
          tasks.map(({ id: taskId, fence }) => ({ family, taskId, fence })),
        );
        // After the queue has them: a job that could not be enqueued must be tried again at once.
        await database.markTasksEnqueued(tasks.map(({ id }) => id));
      }
      return { done: due.length, more: due.length === BATCH };
    },
  };
}

function byFamily(tasks: readonly DueTask[]): Map<Family, DueTask[]> {
  const groups = new Map<Family, DueTask[]>();
  for (const task of tasks) groups.set(task.family, [...(groups.get(task.family) ?? []), task]);
  return groups;
}
