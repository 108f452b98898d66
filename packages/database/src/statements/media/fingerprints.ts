import type { Statement } from '../../statement';
import { beforeMs, idBeforeMs } from '../tasks/after-ms';

export interface NewFingerprint {
  taskId: string;
  accountId: string;
  keyId: string;
  /** The place of the file among those of its task, from 1. */
  output: number;
  /** The part of the content type before the stroke. */
  kind: string;
  sha256: Buffer;
  /** Unsigned numbers of 64 bits. */
  hashes: readonly bigint[];
}

/** One row for each file of a task that has ended; those that it has already stay. */
export const insertFingerprints: Statement<[prints: readonly NewFingerprint[]], object> = {
  text: `
insert into fingerprints (task_id, output, account_id, key_id, kind, sha256, hashes, terms)
select * from jsonb_to_recordset($1) as p(task_id text, output int, account_id text, key_id text, kind text, sha256 bytea, hashes bigint[], terms int[])
on conflict do nothing`,
  values: (prints) => [
    JSON.stringify(
      prints.map(({ taskId, accountId, keyId, output, kind, ...print }) => ({
        task_id: taskId,
        account_id: accountId,
        key_id: keyId,
        output,
        kind,
        sha256: `\\x${print.sha256.toString('hex')}`,
        hashes: print.hashes.map(toColumn),
        terms: termsOf(print),
      })),
    ),
  ],
};

/** Columns of 64 bits have a sign. */
const toColumn = (hash: bigint): string => BigInt.asIntN(64, hash).toString();

const BANDS = [0, 1, 2, 3];
const BAND_BITS = 16;

/**
 * The index finds a file by each quarter of its hashes, with its place, and by the beginning of its SHA-256, as a negative number. Two
 * hashes of which at most three bits differ have a quarter in common.
 */
function termsOf({ sha256, hashes }: Pick<NewFingerprint, 'sha256' | 'hashes'>): number[] {
  const quarters = hashes.flatMap((hash) =>
    BANDS.map((band) => (band << BAND_BITS) | Number(BigInt.asUintN(BAND_BITS, hash >> BigInt(band * BAND_BITS)))),
  );
  return [...new Set([...quarters, ~(sha256.readUInt32BE() >>> 1)])];
}

/**
 * Removes the rows of tasks that are older than so many days, by their ids and by the database's clock; those of the last task all together.
 * Named by an array, as in `pruneTasks`.
 */
export const pruneFingerprints: Statement<[days: number, limit: number], { id: string }> = {
  text: `
with old as materialized (
  select task_id from fingerprints
  where task_id < 'task_' || ${idBeforeMs('$1')} and created_at < ${beforeMs('$1')}
  order by task_id, output limit $2 for update skip locked
)
delete from fingerprints f where f.task_id = any(array(select task_id from old)) returning f.task_id as id`,
  values: (days, limit) => [days * 86_400_000, limit],
};
