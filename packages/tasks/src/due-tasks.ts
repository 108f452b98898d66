import type { Database, DueOptions, DueTask } from '@mediagate/database';

/** Longest due first. */
export function findDueTasks(database: Database, options: DueOptions): Promise<DueTask[]> {
  return database.findDueTasks(options);
}

/** To be called after their jobs are in the queue: a job that could not be enqueued must be tried again at once. */
export async function markEnqueued(database: Database, tasks: readonly DueTask[]): Promise<void> {
  if (tasks.length > 0) await database.markTasksEnqueued(tasks.map((task) => task.id));
}

/**
 * When the queue lost everything: marks at most `limit` tasks as not enqueued.
 *
 * @returns how many; fewer than `limit` means that none is left.
 */
export async function forgetEnqueued(database: Database, limit: number): Promise<number> {
  return (await database.forgetEnqueued(limit)).length;
}

/** Tasks whose deadline has passed by the database's clock. */
export function findOverdueTasks(database: Database, limit: number): Promise<DueTask[]> {
  return database.findOverdueTasks(limit);
}
