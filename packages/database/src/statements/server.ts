import type { Statement } from '../statement';

/** The server as this role sees it. */
export interface ServerFacts {
  /** As PostgreSQL numbers it: 180004 is 18.4. */
  version: number;
  /** How many connections it accepts of this role to this database. */
  accepted: number;
  /** How many of them nobody has. */
  free: number;
}

/** The limits of the server, of the role and of the database; `least` passes over those that are not set. */
export const readServer: Statement<[], ServerFacts> = {
  text: `
with open_sessions as (
  select count(*) as everybody, count(*) filter (where usename = current_user) as role,
    count(*) filter (where datname = current_database()) as database
  from pg_stat_activity where backend_type = 'client backend'
),
limits as (
  select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) as everybody,
    nullif(r.rolconnlimit, -1) as role, nullif(d.datconnlimit, -1) as database
  from pg_roles r, pg_database d
  where r.rolname = current_user and d.datname = current_database()
)
select current_setting('server_version_num')::int as version,
  least(l.everybody, l.role, l.database) as accepted,
  least(l.everybody - s.everybody, l.role - s.role, l.database - s.database)::int as free
from limits l, open_sessions s`,
  values: () => [],
};

/** The programs that have connections to this database, by the name that each gives itself. */
export const listConnections: Statement<[], { application: string }> = {
  text: `
select distinct application_name as application from pg_stat_activity
where datname = current_database() and application_name <> '' order by 1`,
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
