import type { Callbacks } from '@mediagate/callbacks';
import type { Database } from '@mediagate/database';
import type { Session } from './session';

export type OpenedCallbacks = Pick<Callbacks, 'database' | 'queue' | 'logger'>;

/** The domain of callbacks for one command. Its queue is opened when the first job is enqueued, and the session warns where that fails. */
export function openCallbacks(session: Session, database: Database): OpenedCallbacks {
  return {
    database,
    queue: {
      enqueueDelivery: (delivery) => session.enqueue((queues) => queues.enqueueDelivery(delivery)),
      enqueueDeliveries: (deliveries) => session.enqueue((queues) => queues.enqueueDeliveries(deliveries)),
    },
    logger: session,
  };
}
