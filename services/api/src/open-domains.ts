import type { FinishedTask } from '@mediagate/billing';
import { type Callbacks, openCallbacks } from '@mediagate/callbacks';
import type { Catalogue } from '@mediagate/catalog';
import type { Channels } from '@mediagate/channels';
import type { Database } from '@mediagate/database';
import type { Scope } from '@mediagate/host';
import type { Queues } from '@mediagate/queue';
import { openTasks } from '@mediagate/tasks';
import { protocolsThatCancel } from '@mediagate/upstreams';
import type { Operators } from './operators';

export type Domains = Pick<Operators, 'database' | 'tasks' | 'callbacks' | 'channels'>;

interface DomainParts {
  database: Database;
  queues: Queues;
  catalogue: Pick<Catalogue, 'entries'>;
  /** The channels of the operator's file, and what operators set over it. */
  channels: Omit<Channels, 'database'>;
  webhookRules: Callbacks['rules'];
  /** Measures a task that ends in this process. */
  onEnded(ended: FinishedTask): void;
  cancelWaitMs: number | undefined;
}

/** Opens the domains that the routes of callers and of operators work with. */
export function openDomains(
  { logger }: Pick<Scope, 'logger'>,
  { database, queues, catalogue, channels, webhookRules, onEnded, cancelWaitMs }: DomainParts,
): Domains {
  return {
    database,
    callbacks: openCallbacks({ database, queue: queues, logger, rules: webhookRules }),
    channels: { ...channels, database },
    tasks: openTasks({
      database,
      queue: queues,
      logger,
      onEnded,
      cancelling: {
        protocols: protocolsThatCancel(),
        isSynchronous: ({ model, operation }) =>
          catalogue.entries.some((entry) => entry.id === model && entry.operation === operation && entry.synchronous),
        waitMs: cancelWaitMs,
      },
    }),
  };
}
