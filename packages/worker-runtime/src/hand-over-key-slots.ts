import type { SlotsOfKey } from '@mediagate/tasks';
import type { WorkerDeps } from './worker-deps';

/**
 * Gives the slots that a key has free in a family to the tasks that await one in their rows. They are enqueued at once where no start of the
 * family waits in its queue; else the dispatcher enqueues them, in the turn of their account. To be called after an end that freed a
 * slot: who fails to leaves it to the dispatcher, which looks several times a second.
 */
export async function handOverKeySlots(
  of: SlotsOfKey,
  { database, queue }: Pick<WorkerDeps, 'database' | 'queue'>,
): Promise<void> {
  const takers = await database.handOverKeySlots(of);
  if (takers.length === 0 || (await queue.countStarts(of.family)) > 0) return;
  await queue.enqueueStarts(
    of.family,
    takers.map(({ id: taskId, ...taker }) => ({ ...taker, taskId, line: 'fair' })),
  );
}
