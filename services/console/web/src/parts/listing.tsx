import type { ReactNode } from 'react';
import type { CursorList } from '../api/cursor-list.ts';
import { say } from '../frame/texts.ts';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { Failure } from './failure.tsx';
import classes from './listing.module.css';
import { Panel } from './panel.tsx';
import { TableSkeleton } from './table.tsx';

interface ListingProps<Row> extends Omit<DataTableProps<Row>, 'rows' | 'rowId' | 'onEnd'> {
  list: CursorList<Row>;
  /** Shown where there are no rows. */
  empty: ReactNode;
}

/** A list of the API's in each of its states. */
export function Listing<Row extends { id: string }>({ list, empty, ...table }: ListingProps<Row>) {
  const { rows, hasMore, error, retry, onEnd } = list;
  if (error && rows === undefined) return <Failure error={error} retry={retry} />;
  if (rows === undefined) {
    return (
      <Panel flush>
        <TableSkeleton rows={10} />
      </Panel>
    );
  }
  if (rows.length === 0 && !hasMore) return <Panel>{empty}</Panel>;
  return (
    <>
      <Panel flush>
        <DataTable rows={rows} rowId={({ id }) => id} onEnd={onEnd} {...table} />
      </Panel>
      {error && <Failure error={error} retry={retry} />}
      <p className={classes.count} role="status">
        {say(hasMore ? 'table.loaded' : 'table.end', { count: rows.length })}
      </p>
    </>
  );
}
