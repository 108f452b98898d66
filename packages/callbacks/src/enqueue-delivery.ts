import type { QueuedDelivery } from '@mediagate/queue';
import type { Callbacks } from './callbacks';

type Enqueuing = Pick<Callbacks, 'queue' | 'logger'>;

/** An ended task, as far as its callback is concerned. */
interface EndedTask {
  /** The delivery that was written with the end; undefined: the task has no webhook, or somebody else ended it. */
  deliveryId?: string | undefined;
}

/** Enqueues the callback of a task that has ended, after its commit. Never rejects: without the job the reconciler finds the row. */
export async function enqueueCallback(callbacks: Enqueuing, { deliveryId }: EndedTask): Promise<void> {
  if (deliveryId !== undefined) await enqueueDelivery(callbacks, { deliveryId, attemptsMade: 0 });
}

/** The same for tasks that have ended together, by one command. */
export async function enqueueCallbacks({ queue, logger }: Enqueuing, ended: readonly EndedTask[]): Promise<void> {
  const ids = ended.flatMap(({ deliveryId }) => deliveryId ?? []);
  try {
    await queue.enqueueDeliveries(ids.map((deliveryId) => ({ deliveryId, attemptsMade: 0 })));
  } catch (error) {
    logger.warn('webhook.enqueue_failed', { count: ids.length, error });
  }
}

/** The same for any delivery that a commit has made due. */
export async function enqueueDelivery({ queue, logger }: Enqueuing, delivery: QueuedDelivery): Promise<void> {
  try {
    await queue.enqueueDelivery(delivery);
  } catch (error) {
    logger.warn('webhook.enqueue_failed', { deliveryId: delivery.deliveryId, error });
  }
}
