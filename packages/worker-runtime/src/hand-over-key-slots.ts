import type { Database } from '@mediagate/database';
import type { Queues } from '@mediagate/queue';
import type { SlotsOfKey } from '@mediagate/tasks';

export interface HandOverDeps {
  database: Pick<Database, 'handOverKeySlots'>;
  queues: Pick<Queues, 'countStarts' | 'enqueueStarts'>;
}

/**
 * Gives the slots that a key has free in a family to the tasks that await one in their rows. They are enqueued at once where no start of the
 * family waits in its queue; else the dispatcher enqueues them, in the turn of their account. To be called after an end that freed a
 * slot: who fails to leaves it to the dispatcher, which looks several times a second.
 */
export async function handOverKeySlots(of: SlotsOfKey, { database, queues }: HandOverDeps): Promise<void> {
  const takers = await database.handOverKeySlots(of);
  if (takers.length === 0 || (await queues.countStarts(of.family)) > 0) return;
  await queues.enqueueStarts(
    of.family,
    takers.map(({ id: taskId, fence }) => ({ taskId, fence, line: 'fair' })),
  );
}
