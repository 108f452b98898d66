import { STATEMENTS } from '../src/statements';

/**
 * A query that limits the rows that it locks is read once: as a part of a join it may be read again for each row of the other side, and
 * then passes over rows that the statement itself has changed, to the next ones.
 */
it.each(Object.entries(STATEMENTS))('%s locks no more rows than its limit', (_, { text }) => {
  const sql = text.toLowerCase();
  for (const { index } of sql.matchAll(/\blimit\s+\S+\s+for (no key )?update/g)) {
    const around = enclosing(sql, index);
    const isReadOnce = around.length === 0 || around.some((before) => /(\bas materialized|=)\s*$/.test(before));
    expect([isReadOnce, sql.slice(index, index + 60)]).toEqual([true, expect.any(String)]);
  }
});

/** The texts before each of the brackets that are open at a place. */
function enclosing(sql: string, place: number): string[] {
  const open: number[] = [];
  for (let index = 0; index < place; index += 1) {
    if (sql[index] === '(') open.push(index);
    else if (sql[index] === ')') open.pop();
  }
  return open.map((index) => sql.slice(0, index));
}
