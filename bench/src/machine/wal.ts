import { query } from './query';

/** Where PostgreSQL's write-ahead log has got to, in bytes; it is of all databases together. */
export async function readWalBytes(url: string): Promise<number> {
  const [row] = await query<{ bytes: number }>(url, READ);
  return row?.bytes ?? Number.NaN;
}

const READ = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`;
