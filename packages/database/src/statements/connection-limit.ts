import type { Statement } from '../statement';

/** How many connections the server accepts of this role to this database; `least` passes over limits that are not set. */
export const readConnectionLimit: Statement<[], { accepted: number }> = {
  text: `
select least(
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0),
  nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1)) as accepted
from pg_roles r, pg_database d
where r.rolname = current_user and d.datname = current_database()`,
  values: () => [],
};
