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
}
