import type { Database } from '@mediagate/database';
import type { Scope } from '@mediagate/host';
import type { Queues } from '@mediagate/queue';
import { CheckHastener, createCallbackTokens } from '@mediagate/tasks';

interface VendorCallbackParts {
  database: Database;
  queues: Pick<Queues, 'enqueueTask'>;
  /** Signs the addresses that vendors call. */
  secret: string;
}

/** Vendors' calls back to this service. A look that is to come is not waited for when the process ends. */
export function openVendorCallbacks(scope: Scope, { database, queues, secret }: VendorCallbackParts) {
  const hastener = new CheckHastener({
    database,
    enqueueTask: (task) => queues.enqueueTask(task),
    onFailed: (error) => scope.logger.warn('check.hasten_failed', { error }),
  });
  scope.defer('early checks', () => hastener.stop());
  return { hastener, callbackTokens: createCallbackTokens(secret) };
}
