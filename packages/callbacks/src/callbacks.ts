import { Slots } from '@mediagate/concurrency';
import type { Database } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import type { QueuedDelivery, Queues } from '@mediagate/queue';
import type { SendingRules } from './sending-rules';

/** The domain of callbacks, opened once in a process. Each command and each question takes the parts of it that it uses. */
export interface Callbacks {
  database: Database;
  queue: Pick<Queues, 'enqueueDelivery' | 'enqueueDeliveries'>;
  logger: Pick<Logger, 'warn'>;
  /** The rules of sending as they stand now. */
  rules(): SendingRules;
  /** Slots for test callbacks of this process. */
  testSlots: Pick<Slots, 'tryTake'>;
}

/** Test callbacks that one process sends at once. A receiver that hangs holds a connection for as long as an attempt may take. */
export const MAX_TEST_CALLBACKS = 64;
const MAX_TEST_CALLBACKS_OF_ACCOUNT = 2;

export function openCallbacks(parts: Omit<Callbacks, 'testSlots'>): Callbacks {
  const testSlots = new Slots({ capacity: MAX_TEST_CALLBACKS, perOwner: MAX_TEST_CALLBACKS_OF_ACCOUNT });
  return { ...parts, testSlots };
}

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
