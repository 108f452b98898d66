/** A part of a list. */
export interface Page<Row, Place> {
  rows: Row[];
  /** Where the next page begins; undefined: this is the last. */
  next: Place | undefined;
}

/** A row of a look that is bounded: without an id nothing was found. Each row of a look has the same `lookedUntil`. */
export type Scanned<Row extends { id: unknown }> = Omit<Row, 'id'> & {
  id: Row['id'] | null;
  /** Where the look ended before the page was full; null: it is full, or there is nothing further. */
  lookedUntil?: Row['id'] | null;
};

/** Reads a page. Its look may end before the page is full: then the page is short, or empty, and the next one goes on from there. */
export async function readPage<Row extends { id: unknown }>(
  limit: number,
  find: (limit: number) => Promise<Scanned<Row>[]>,
): Promise<Page<Row, Row['id']>> {
  // One more tells whether there are more.
  const found = await find(limit + 1);
  const rows = found.filter((row): row is typeof row & Row => row.id !== null);
  const shown = rows.slice(0, limit);
  return { rows: shown, next: rows.length > limit ? shown.at(-1)?.id : (found[0]?.lookedUntil ?? undefined) };
}

interface Scan {
  /** Reads ids from an index, in `order` and at most `rows`; it is asked for no more than it takes to fill the page. */
  source: string;
  /** Reads the row of an id of the source, `c.id`, or none where the filters do not want it. */
  row: string;
  /** The order of the source. In an order that is not its own, all of it would be sorted first. */
  order?: string | undefined;
  /** The same order, of the rows `f` that are found. */
  foundOrder?: string;
  /** The parameter that has the most rows of the page. */
  limit: string;
  /** The parameter that has the most ids of the source. */
  rows: string;
}

/**
 * Looks for the rows of a page (`Scanned`): one index brings ids, and each is looked up and judged by its key. The lateral join with its
 * limit keeps the planner to that key, one row after the other, whatever it believes of how many there are.
 */
export function scanned({ source, row, order = 'c.id desc', foundOrder = 'f.id desc', limit, rows }: Scan): string {
  return `
with found as materialized (
  select r.* from (${source}) c
  cross join lateral (${row} limit 1) r
  order by ${order} limit ${limit}
),
scan as (
  select case when (select count(*) from found) < ${limit} then (
    select c.id from (${source}) c order by ${order} offset ${rows} - 1 limit 1
  ) end as "lookedUntil"
)
select f.*, s."lookedUntil" from scan s left join found f on true order by ${foundOrder}`;
}
