import { createBatcher, type Database, type OperationToSave } from '@mediagate/database';
import { MAX_BATCH_ITEMS, MAX_WAITING_ITEMS } from './batch-limits';

/** Writes down what upstreams accepted; what is accepted at the same time shares one statement. False: no longer held. */
export function createOperationSaver(database: Database): (operation: OperationToSave) => Promise<boolean> {
  return createBatcher<OperationToSave, boolean>({
    maxItems: MAX_BATCH_ITEMS,
    maxWaiting: MAX_WAITING_ITEMS,
    tally: database.tally('operations'),
    run: async (items) => {
      const saved = new Set((await database.saveOperations(items)).map(({ id }) => id));
      return items.map(({ attemptId }) => saved.has(attemptId));
    },
  });
}
