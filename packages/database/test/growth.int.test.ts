import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenTestDatabase, openTestDatabase, runSql } from '@mediagate/testkit';
import type { Database } from '../src';

let home: OpenTestDatabase;
let database: Database;

beforeAll(async () => {
  home = await openTestDatabase(1);
  ({ database } = home);
});

afterAll(() => home.close());

/** The last cell of a table's row in docs/growth.md, by the table. */
function documented(): Record<string, string> {
  const text = readFileSync(join(__dirname, '../../../docs/growth.md'), 'utf8');
  const rows = [...text.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|.*\| ([^|]+) \|$/gm)];
  const pairs = rows.flatMap(([, tables = '', share = '']) =>
    [...tables.matchAll(/\w+/g)].map(([table]) => [table, share] as const),
  );
  expect(new Set(pairs.map(([table]) => table)).size).toBe(pairs.length);
  return Object.fromEntries(pairs);
}

interface TableShares {
  name: string;
  /** The share of rows that may be dead, or added, before the table is vacuumed; null: PostgreSQL's default. */
  share: string | null;
}

// A table that is only added to is vacuumed by what was added.
const READ_SHARES = `
select c.relname as name, coalesce(
    (select option_value from pg_options_to_table(c.reloptions) where option_name = 'autovacuum_vacuum_scale_factor'),
    (select option_value from pg_options_to_table(c.reloptions) where option_name = 'autovacuum_vacuum_insert_scale_factor')) as share
from pg_class c
where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace and c.relname <> '_prisma_migrations'`;

it('docs/growth.md says of every table what makes it grow, and at which share of dead rows it is vacuumed', async () => {
  const tables = await runSql<TableShares>(database, READ_SHARES);
  expect(documented()).toEqual(Object.fromEntries(tables.map(({ name, share }) => [name, share ?? 'default'])));
});
