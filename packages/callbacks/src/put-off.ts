import type { DeliveryJob } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import type { Queues } from '@mediagate/queue';

export interface PutOffDeps {
  database: Pick<Database, 'findEarlyDelivery'>;
  queues: Pick<Queues, 'enqueueDelivery'>;
  logger: Logger;
}

/**
 * Enqueues a job again that came before its time, because clocks of processes differ, by the database's clock; one of an earlier attempt
 * has nothing to wait for. A hint only: without it the reconciler finds the row when it is due.
 */
export async function putOff({ deliveryId, attemptsMade }: DeliveryJob, deps: PutOffDeps): Promise<undefined> {
  const [early] = await deps.database.findEarlyDelivery(deliveryId);
  if (early === undefined || early.attemptsMade !== attemptsMade) return;
  const [delayMs, distinct] = [Math.ceil(early.waitMs), `early-${Date.now()}`];
  try {
    await deps.queues.enqueueDelivery({ deliveryId, attemptsMade, delayMs, distinct });
  } catch (error) {
    deps.logger.warn('webhook.enqueue_failed', { deliveryId, error });
  }
}
