import type { DeliveryJob } from '@mediagate/contracts';
import { enqueueDelivery } from './enqueue-delivery';
import type { Sender } from './sender';

/**
 * Enqueues a job again that came before its time, because clocks of processes differ, by the database's clock; one of an earlier attempt
 * has nothing to wait for.
 */
export async function putOff(sender: Sender, { deliveryId, attemptsMade }: DeliveryJob): Promise<void> {
  const [early] = await sender.database.findEarlyDelivery(deliveryId);
  if (early === undefined || early.attemptsMade !== attemptsMade) return;
  const [delayMs, distinct] = [Math.ceil(early.waitMs), `early-${Date.now()}`];
  await enqueueDelivery(sender, { deliveryId, attemptsMade, delayMs, distinct });
}
