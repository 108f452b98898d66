import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { say } from '../frame/texts.ts';
import classes from './table.module.css';

/** A column of a short table. */
export interface Column<Row> {
  header: string;
  /** Readers of screens alone are told the header. */
  headerHidden?: boolean;
  cell(row: Row): ReactNode;
  /** Figures stand at the end. */
  align?: 'end';
  /** Left out on narrow screens. */
  wideOnly?: boolean;
  /** Long text breaks, or is cut. */
  long?: 'wrap' | 'cut';
  className?: string | undefined;
}

interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId(row: Row, index: number): string | number;
  /** The row below all others. */
  total?: Row;
  headHidden?: boolean;
}

/** A short table; `DataTable` is for long ones. It scrolls by itself where it is too wide. */
export function Table<Row>({ caption, columns, rows, rowId, total, headHidden = false }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.scroller} tabIndex={0} aria-label={caption}>
      <table className={classes.table}>
        <caption className="hidden-visually">{caption}</caption>
        <thead {...(headHidden && { className: 'hidden-visually' })}>
          <tr>
            {columns.map(({ header, headerHidden, align, wideOnly, className }) => (
              <th
                key={header}
                scope="col"
                aria-label={header}
                data-align={align}
                data-wide={wideOnly}
                className={className}
              >
                {!headerHidden && header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <TableRow key={rowId(row, index)} columns={columns} row={row} />
          ))}
        </tbody>
        {total !== undefined && (
          <tfoot>
            <TableRow columns={columns} row={total} />
          </tfoot>
        )}
      </table>
    </section>
  );
}

function TableRow<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  return (
    <tr>
      {columns.map(({ header, cell, align, wideOnly, long, className = align && 'number' }) => (
        <td key={header} data-align={align} data-wide={wideOnly} data-long={long} className={className}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** Rows that are on their way, of the height that they will have. */
export function TableSkeleton({ rows }: { rows: number }) {
  return (
    <div className={classes.skeleton} role="status">
      <span className="hidden-visually">{say('loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={row} height={14} my={12} />
      ))}
    </div>
  );
}
