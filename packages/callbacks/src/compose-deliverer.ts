import type { Database } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import { createMessages, type Translator } from '@mediagate/languages';
import type { Registry } from 'prom-client';
import { createDeliverer, type DeliverDeps, type Deliverer } from './deliver';
import { createDeliveryMetrics } from './delivery-metrics';
import { createDeliveryWrites } from './delivery-writes';
import type { SendingRules } from './sending-rules';

export interface DelivererParts {
  database: Database;
  queues: DeliverDeps['queues'];
  logger: Logger;
  metrics: Registry;
  rules(): SendingRules;
  /** Of words that are not the platform's own; absent: they stay as they are. */
  translator?: Translator | undefined;
  creditsPerUnit: number;
  /** Callbacks in flight at once. */
  concurrency: number;
}

/** The deliverer with all that its steps need. */
export function composeDeliverer(parts: DelivererParts): Deliverer & { deps: DeliverDeps } {
  const { database, queues, logger, translator, concurrency } = parts;
  const deps: DeliverDeps = {
    database,
    queues,
    logger,
    writes: createDeliveryWrites(database),
    rules: parts.rules,
    creditsPerUnit: parts.creditsPerUnit,
    // A delivery occupies its slot while it waits for a translation, so at most a quarter of the slots may wait.
    messages: createMessages({
      ...(translator && { translator }),
      maxWaiting: Math.ceil(concurrency / 4),
      onFailure: (error) => logger.warn('translation.failed', { error }),
    }),
    metrics: createDeliveryMetrics(parts.metrics),
    concurrency,
  };
  return { ...createDeliverer(deps), deps };
}
