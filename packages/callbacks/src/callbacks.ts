import { Slots } from '@mediagate/concurrency';
import type { Database } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import type { Queues } from '@mediagate/queue';
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
