import { createBatcher as createGeneralBatcher, type BatcherOptions as GeneralOptions } from '@mediagate/concurrency';
import { DatabaseBusyError, DatabaseConflictError, DatabaseUnavailableError } from './database-error';

export interface BatcherOptions<Item, Result>
  extends Omit<GeneralOptions<Item, Result>, 'full' | 'failsAll' | 'groups'> {
  /** The row that an item needs and others may hold. Of items with the same row, all get it or none does. */
  rowOf?(item: Item): string;
}

/**
 * Batches of one statement, as the concurrency package makes them. Only an unreachable database fails every item of a batch.
 *
 * @throws (the returned function) DatabaseBusyError when more than `maxWaiting` items wait.
 */
export function createBatcher<Item, Result>({
  rowOf,
  ...options
}: BatcherOptions<Item, Result>): (item: Item) => Promise<Result> {
  return createGeneralBatcher({
    ...options,
    groups: rowOf && { keyOf: rowOf, failsAll: (error) => error instanceof DatabaseConflictError },
    full: (maxWaiting) => new DatabaseBusyError(new Error(`${maxWaiting} items wait already`)),
    failsAll: (error) => error instanceof DatabaseUnavailableError,
  });
}
