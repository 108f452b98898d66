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

/** Whether the migrations were applied. */
export const readIsMigrated: Statement<[], { migrated: boolean }> = {
  text: `select to_regclass('audit_log') is not null as migrated`,
  values: () => [],
};

/** The settings that docs/deployment.md asks of the role and that it lacks, as commands: those that match `lacking`. Zero is no limit. */
export const findMissingRoleSettings: Statement<[], { command: string }> = {
  text: `
select format('ALTER ROLE %I SET %s = %L', current_user, w.name, w.wanted) as command
from (values (1, 'statement_timeout', '^0$', '10s'), (2, 'lock_timeout', '^0$', '2s'),
  (3, 'idle_in_transaction_session_timeout', '^0$', '5s'), (4, 'enable_seqscan', '^on$', 'off'),
  (5, 'jit', '^on$', 'off'), (6, 'plan_cache_mode', '^auto$', 'force_generic_plan'),
  (7, 'TimeZone', '^(?!(Etc/)?(UTC|GMT)$)', 'UTC')
) as w(place, name, lacking, wanted)
join pg_settings s on s.name = w.name and s.setting ~ w.lacking
order by w.place`,
  values: () => [],
};
