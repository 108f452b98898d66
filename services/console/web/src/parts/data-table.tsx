import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import classes from './data-table.module.css';

export interface Column<Row> {
  id: string;
  header: string;
  cell(row: Row): ReactNode;
  /** The width as a track of a CSS grid: `minmax(160px, 1fr)`. */
  width: string;
  align?: 'end';
  /** Left out on narrow screens. */
  wideOnly?: boolean;
}

export interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId(row: Row): string;
  /** Ids of columns that the reader does not want to see. */
  hidden?: readonly string[];
  /** Called when the end comes into view. */
  onEnd(): void;
  /** Called with the rows on the screen, which are those to poll. */
  onVisible?(rows: readonly Row[]): void;
}

const ROW_PX = 44;
const OVERSCAN_ROWS = 12;
/** The next page is fetched so many rows before the last one. */
const LEAD_ROWS = 40;
const NO_COLUMNS: readonly string[] = [];

/**
 * A table of any length: only the rows on the screen are in the document, and the page itself scrolls. The first link of a row is the
 * row's own; arrow keys go from one to the next.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowId, hidden = NO_COLUMNS, onEnd, onVisible } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const shown = columns.filter(({ id }) => !hidden.includes(id));
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN_ROWS,
    scrollMargin: body.current?.offsetTop ?? 0,
  });
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? -1];
  useEffect(() => {
    if (last >= rows.length - LEAD_ROWS) onEnd();
  }, [last, rows.length, onEnd]);
  useEffect(() => onVisible?.(rows.slice(first, last + 1)), [rows, first, last, onVisible]);
  const move = (event: KeyboardEvent) => moveFocus(event, rows.length, (index) => virtualizer.scrollToIndex(index));
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a grid's display takes the roles of tables away
    <table role="table" className={classes.table} style={tracksOf(shown)} aria-rowcount={-1}>
      <caption className="hidden-visually">{caption}</caption>
      <Head columns={shown} />
      <tbody
        ref={body}
        // biome-ignore lint/a11y/noRedundantRoles: its display takes the role away
        role="rowgroup"
        className={classes.body}
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={move}
      >
        {items.map(({ index, start }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <tr
              key={rowId(row)}
              // biome-ignore lint/a11y/noRedundantRoles: its display takes the role away
              role="row"
              className={classes.row}
              data-index={index}
              aria-rowindex={index + 2}
              style={{ transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
            >
              {shown.map(({ id, cell, align, wideOnly }) => (
                // biome-ignore lint/a11y/noRedundantRoles: its display takes the role away
                <td key={id} role="cell" data-align={align} data-wide={wideOnly}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The tracks of the grid that the columns stand in. */
function tracksOf<Row>(shown: readonly Column<Row>[]): CSSProperties {
  return {
    '--columns': shown.map(({ width }) => width).join(' '),
    '--columns-narrow': shown.flatMap(({ width, wideOnly }) => (wideOnly ? [] : [width])).join(' '),
  } as CSSProperties;
}

function Head<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a grid's display takes the roles of tables away
    <thead role="rowgroup" className={classes.head}>
      {/* biome-ignore lint/a11y/noRedundantRoles: its display takes the role away */}
      <tr role="row" className={classes.row} aria-rowindex={1}>
        {columns.map(({ id, header, align, wideOnly }) => (
          // biome-ignore lint/a11y/noRedundantRoles: its display takes the role away
          <th key={id} scope="col" role="columnheader" data-align={align} data-wide={wideOnly}>
            {header}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Up, down, first and last among the links of rows, also to rows that are not in the document yet. */
function moveFocus(event: KeyboardEvent, count: number, scrollTo: (index: number) => void): void {
  const row = (event.target as HTMLElement).closest<HTMLElement>('[data-index]');
  if (row === null) return;
  const index = Number(row.dataset['index']);
  const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: count - 1 }[event.key];
  if (next === undefined || next < 0 || next >= count) return;
  event.preventDefault();
  scrollTo(next);
  const body = row.parentElement;
  // The row is drawn once the page has scrolled there.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => body?.querySelector<HTMLElement>(`[data-index="${next}"] a`)?.focus()),
  );
}
