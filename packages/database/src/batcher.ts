import { createBatcher as createGeneralBatcher, type BatcherOptions as GeneralOptions } from '@mediagate/concurrency';
import { DatabaseUnavailableError } from './database-error';

export type BatcherOptions<Item, Result> = Omit<GeneralOptions<Item, Result>, 'full' | 'failsAll'>;

/**
 * Batches of one statement, as the concurrency package makes them. Only an unreachable database fails every item of a batch.
 *
 * @throws (the returned function) DatabaseUnavailableError also when more than `maxWaiting` items wait.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): (item: Item) => Promise<Result> {
  return createGeneralBatcher({
    ...options,
    full: (maxWaiting) => new DatabaseUnavailableError(new Error(`${maxWaiting} items wait already`)),
    failsAll: (error) => error instanceof DatabaseUnavailableError,
  });
}
