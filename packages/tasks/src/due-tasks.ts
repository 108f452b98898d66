import type { Database, DueOptions, DueTask } from '@mediagate/database';

/** Longest due first. */
export function findDueTasks(database: Database, options: DueOptions): Promise<DueTask[]> {
  return database.findDueTasks(options);
}

/** After their wakes are in the queue, never before: a wake that failed must be tried again at once. */
export async function markWoken(database: Database, tasks: readonly DueTask[]): Promise<void> {
  if (tasks.length > 0) await database.markTasksWoken(tasks.map((task) => task.id));
}

/**
 * When the queue lost everything: wakes count as not sent, those of `limit` tasks at most.
 *
 * @returns how many; fewer than `limit` means that none is left.
 */
export async function forgetWakes(database: Database, limit: number): Promise<number> {
  return (await database.forgetWakes(limit)).length;
}

/** Tasks whose deadline has passed by the database's clock. */
export function findOverdueTasks(database: Database, limit: number): Promise<DueTask[]> {
  return database.findOverdueTasks(limit);
}
