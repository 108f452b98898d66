import type { TaskId } from '@mediagate/contracts';
import type { Database, StoppedTask } from '@mediagate/database';

const MAX_RENEWED_TOGETHER = 1000;

/** A task that its submitter runs. */
export interface RunTask {
  taskId: TaskId;
  /** How it ends if its process is gone before the next renewal; null: nothing is known. */
  keptEnd(): string | null;
}

/**
 * One statement for all that a process runs. Of those that have ended, or were given up, nothing changes. Returns those that
 * the process is to stop.
 */
export async function renewSubmitterLeases(
  database: Database,
  tasks: readonly RunTask[],
  leaseMs: number,
): Promise<StoppedTask[]> {
  const toStop: StoppedTask[] = [];
  for (let from = 0; from < tasks.length; from += MAX_RENEWED_TOGETHER) {
    const renewals = tasks
      .slice(from, from + MAX_RENEWED_TOGETHER)
      .map((task) => ({ id: task.taskId, end: task.keptEnd() }));
    toStop.push(...(await database.renewSubmitterLeases(renewals, leaseMs)));
  }
  return toStop;
}
