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
