import { createBatcher as createGeneralBatcher, type BatcherOptions as GeneralOptions } from '@mediagate/concurrency';
import { DatabaseBusyError, DatabaseConflictError, DatabaseUnavailableError } from './database-error';

/** Operations that one statement does for several callers. */
export type BatchName =
  | 'submissions'
  | 'lone_submissions'
  | 'claims'
  | 'renewals'
  | 'attempts'
  | 'operations'
  | 'postponements'
  | 'withdrawals'
  | 'ends'
  | 'media'
  | 'reads'
  | 'delivery_claims'
  | 'delivery_reads'
  | 'delivery_starts'
  | 'delivery_records';

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

export interface RowBatcherOptions<Item, Row> extends Omit<BatcherOptions<Item, Row | undefined>, 'run' | 'rowOf'> {
  /** The statement: its rows for the items, in whatever order. */
  rowsFor(items: Item[]): Promise<Row[]>;
  itemId(item: Item): string;
  rowId(row: Row): string;
  /** Only the first of equal items of one batch gets the row. Default: all do. */
  once?: boolean;
}

/** Batches of a statement whose rows name the items that they are for. The answer to an item: its row; undefined: there is none. */
export function createRowBatcher<Item, Row>({
  rowsFor,
  itemId,
  rowId,
  once = false,
  ...options
}: RowBatcherOptions<Item, Row>): (item: Item) => Promise<Row | undefined> {
  return createBatcher<Item, Row | undefined>({
    ...options,
    async run(items) {
      const rows = new Map((await rowsFor(items)).map((row) => [rowId(row), row]));
      return items.map((item) => {
        const row = rows.get(itemId(item));
        if (once) rows.delete(itemId(item));
        return row;
      });
    },
  });
}
