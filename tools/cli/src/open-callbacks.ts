import type { Callbacks } from '@mediagate/callbacks';
import type { Session } from './session';

/** The domain of callbacks for one command. Its queue is opened when the first job is enqueued, and the session warns where that fails. */
export async function openCallbacks(session: Session): Promise<Pick<Callbacks, 'database' | 'queue' | 'logger'>> {
  return {
    database: await session.openDatabase(),
    queue: {
      enqueueDelivery: (delivery) => session.enqueue((queues) => queues.enqueueDelivery(delivery)),
      enqueueDeliveries: (deliveries) => session.enqueue((queues) => queues.enqueueDeliveries(deliveries)),
    },
    logger: session,
  };
}
