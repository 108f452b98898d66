import type { Queue } from 'bullmq';
import type { CommandConnection } from './connection';
import { jobId, type QueuedTask } from './jobs';

/**
 * Returns the tasks for which the queue has no job that is still to be done. A job that is kept although its step is due again is of a
 * claim that the database has lost: it is removed, as it would stand in the way of the next one.
 */
export async function findMissing<T extends Pick<QueuedTask, 'taskId' | 'fence'>>(
  { redis, command }: CommandConnection,
  queue: Queue,
  tasks: readonly T[],
): Promise<T[]> {
  if (tasks.length === 0) return [];
  const ids = tasks.map(({ taskId, fence }) => jobId(taskId, fence));
  const found = await command(() =>
    Promise.all(ids.map((id) => redis.hmget(queue.toKey(id), 'timestamp', 'finishedOn'))),
  );
  const kept = ids.filter((_, index) => found[index]?.[1] != null);
  await command(() => Promise.all(kept.map((id) => queue.remove(id))));
  return tasks.filter((_, index) => found[index]?.[0] == null || found[index]?.[1] != null);
}
