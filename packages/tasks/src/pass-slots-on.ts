import type { Family, TaskId } from '@mediagate/contracts';
import type { Database, FreedSlot } from '@mediagate/database';

export interface PassSlotsOnDeps {
  database: Pick<Database, 'releaseThrottledTasks'>;
  enqueueTask(task: { family: Family; taskId: TaskId; fence: number; distinct: string }): Promise<void>;
}

/**
 * Gives the slots that tasks had under their keys' limits to the throttled tasks that have waited longest. To be called after
 * every end that freed one. Who fails to only delays the throttled tasks, until they look for a slot themselves.
 */
export async function passSlotsOn(freed: readonly FreedSlot[], deps: PassSlotsOnDeps): Promise<void> {
  const [first] = freed;
  if (first === undefined) return;
  // A job for an earlier slot may still be running, under the same fence.
  const distinct = first.taskId;
  const next = await deps.database.releaseThrottledTasks(freed);
  await Promise.all(next.map(({ id: taskId, family, fence }) => deps.enqueueTask({ family, taskId, fence, distinct })));
}
