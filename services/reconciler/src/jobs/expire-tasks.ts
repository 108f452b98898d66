import { taskError } from '@mediagate/billing';
import { enqueueCallbacks } from '@mediagate/callbacks';
import type { TaskFailureReason, TaskId } from '@mediagate/contracts';
import type { Tasks } from '@mediagate/tasks';
import type { Job } from '../job';

const BATCH = 100;
/** Lease of this process on what it takes over, long enough to end it. */
const TAKEN_OVER_MS = 10_000;

/**
 * Fails and refunds what has run past its deadline, whoever holds it. A worker that comes back later finds a terminal
 * task: its result is kept on the attempt, never billed, never delivered.
 */
export function expireTasks(tasks: Ending): Job {
  return {
    name: 'expire-tasks',
    everyMs: 1000,
    async run() {
      const overdue = await tasks.database.findOverdueTasks(BATCH);
      const ended = overdue.map((task) => ({ ...task, fence: 'any' as const }));
      const done = await failTasks(tasks, ended, 'timeout');
      return { done, more: overdue.length === BATCH };
    },
  };
}

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

interface TaskToFail {
  id: TaskId;
  accountId: string;
  fence: number | 'any';
}

/** The part of the domain that ends overdue tasks. */
export type Ending = Pick<Tasks, 'database' | 'finish' | 'queue' | 'logger'>;

/**
 * Fails and refunds tasks, and enqueues their callbacks.
 *
 * @returns how many of them had not ended before.
 */
async function failTasks(tasks: Ending, overdue: readonly TaskToFail[], reason: TaskFailureReason): Promise<number> {
  const error = taskError(reason);
  const finished = await Promise.all(
    overdue.map(({ id: taskId, ...task }) => tasks.finish({ ...task, taskId, outcome: { kind: 'failed', error } })),
  );
  await enqueueCallbacks(tasks, finished);
  return finished.filter(({ won }) => won).length;
}
