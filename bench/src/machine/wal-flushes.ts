import { query } from './query';

const VERSION = `select current_setting('server_version_num')::int as version`;
const FLUSHES = `select sum(fsyncs)::float8 as flushes from pg_stat_io where object = 'wal'`;
/** The view had these columns until PostgreSQL 18 moved them. */
const FLUSHES_BEFORE_18 = 'select wal_sync::float8 as flushes from pg_stat_wal';
const POSTGRES_18 = 180_000;

/** How often PostgreSQL has flushed its log since its start, as far as its processes have reported. */
export async function readWalFlushes(url: string): Promise<number> {
  const [server] = await query<{ version: number }>(url, VERSION);
  const statement = (server?.version ?? 0) >= POSTGRES_18 ? FLUSHES : FLUSHES_BEFORE_18;
  const [row] = await query<{ flushes: number }>(url, statement);
  return row?.flushes ?? Number.NaN;
}
