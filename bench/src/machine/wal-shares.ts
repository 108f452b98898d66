import { query } from './query';

/** Bytes of write-ahead log by the table or index that they are of, the largest first. */
export interface WalShare {
  relation: string;
  bytes: number;
  /** Bytes of whole pages, which the first change after a checkpoint writes. */
  pageBytes: number;
}

export async function readWalPosition(url: string): Promise<string> {
  const [row] = await query<{ at: string }>(url, 'select pg_current_wal_flush_lsn()::text as at');
  return row?.at ?? '0/0';
}

/**
 * Reads the log written since, by table or index of this database. Blocks of others count as `others`, and records without a block as
 * `commits`. Undefined where the extension is missing or the log is gone.
 */
export async function readWalShares(url: string, since: string): Promise<WalShare[] | undefined> {
  try {
    await query(url, 'create extension if not exists pg_walinspect');
    return await query<WalShare>(url, READ, [since, await readWalPosition(url)]);
  } catch {
    return undefined;
  }
}

/** A record of several blocks is theirs in equal parts. */
const READ = `
with block as (
  select relfilenode, reltablespace, reldatabase, block_fpi_length as page_bytes,
    record_length::float8 / count(*) over (partition by start_lsn) as bytes
  from pg_get_wal_block_info($1::pg_lsn, $2::pg_lsn)
),
named as (
  select coalesce(owner.relname, c.relname, 'others') as relation, b.bytes, b.page_bytes
  from block b
  left join pg_class c on c.oid = pg_filenode_relation(b.reltablespace, b.relfilenode)
    and b.reldatabase = (select oid from pg_database where datname = current_database())
  left join pg_class owner on owner.reltoastrelid = c.oid
)
select relation, sum(bytes)::float8 as bytes, sum(page_bytes)::float8 as "pageBytes" from named group by 1
union all
select 'commits', coalesce(sum(record_length), 0)::float8, 0
from pg_get_wal_records_info($1::pg_lsn, $2::pg_lsn) where block_ref is null
order by 2 desc`;
