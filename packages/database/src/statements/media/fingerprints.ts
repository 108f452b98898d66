import { createHash } from 'node:crypto';
import type { Statement } from '../../statement';
import { beforeMs, idBeforeMs } from '../tasks/after-ms';
import { isSeen, type Visibility } from '../visibility';

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
        terms: [accountId, EVERYBODY].flatMap((owner) => [
          termOf(owner, print.sha256.toString('hex')),
          ...quartersOf(owner, print.hashes),
        ]),
      })),
    ),
  ],
};

/** Columns of 64 bits have a sign. */
const toColumn = (hash: bigint): string => BigInt.asIntN(64, hash).toString();

const BANDS = [0, 1, 2, 3];
const BAND_BITS = 16;
/** Stands for all accounts, in the search of operators. */
const EVERYBODY = '';

/**
 * The index finds a file of an account by each quarter of its hashes, with its place, and by its SHA-256: each with the account in it, so
 * that nobody's search reads what others have. For operators all of them stand there without an account,
 * too. Two hashes of which at most three bits differ have a quarter in common.
 */
function quartersOf(owner: string, hashes: readonly bigint[]): number[] {
  const quarters = hashes.flatMap((hash) =>
    BANDS.map((band) => `${band} ${BigInt.asUintN(BAND_BITS, hash >> BigInt(band * BAND_BITS))}`),
  );
  return [...new Set(quarters)].map((quarter) => termOf(owner, quarter));
}

function termOf(owner: string, term: string): number {
  return createHash('sha256').update(`${owner} ${term}`).digest().readInt32BE();
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

export interface Sought extends Pick<NewFingerprint, 'sha256' | 'hashes'> {
  /** The most bits in which two hashes that look alike differ. */
  maxDistance: number;
  /** What sounds alike looks like nothing: sounds are compared with sounds alone. */
  isSound: boolean;
}

export interface FoundFingerprint {
  taskId: string;
  accountId: string;
  output: number;
  kind: string;
  createdAt: Date;
  /** The bytes are the same. */
  isSame: boolean;
  /** Bits in which the nearest hashes differ; null: there are none. */
  distance: number | null;
}

/** Rows that a search compares: the newest, those that the index finds to be the same, and those that it finds alike. */
const COMPARED = 10_000;
const FOUND = 20;

/**
 * Each term is looked up by itself: for an array of many, as a video has, the planner would read the whole table. Terms have their owner
 * in them, so nothing else is asked of the index: two indexes would be read to compare them.
 */
const withTerms = (terms: string): string => `
select distinct f.* from unnest(${terms}::int[]) as t(term)
cross join lateral (select f.* from fingerprints f where f.terms @> array[t.term] limit ${COMPARED}) f limit ${COMPARED}`;

/** The results nearest to a file: the terms that are looked up are $1, its SHA-256 $2, its hashes $3, the greatest distance $4, and whether it is a sound $5. */
const searchIn = ({
  newest,
  looked,
  isShown = 'true',
}: {
  newest: string;
  looked: string;
  isShown?: string;
}): string => `
with newest as materialized (${newest} limit ${COMPARED}),
looked as materialized (${looked})
select c.task_id as "taskId", c.account_id as "accountId", c.output, c.kind, c.created_at as "createdAt", s.same as "isSame", d.distance
from (select * from newest union select * from looked) c
cross join lateral (select c.sha256 = $2::bytea as same) s
cross join lateral (
  select min(bit_count((h.hash # q.hash)::bit(64)))::int as distance from unnest(c.hashes) as h(hash), unnest($3::bigint[]) as q(hash)
) d
where (s.same or (d.distance <= $4 and (c.kind = 'audio') = $5)) and ${isShown}
order by s.same desc, d.distance nulls last, c.task_id desc, c.output limit ${FOUND}`;

const soughtBy = (terms: readonly number[], { sha256, hashes, maxDistance, isSound }: Sought): unknown[] => [
  terms,
  sha256,
  hashes.map(toColumn),
  maxDistance,
  isSound,
];

/** The results nearest to a file, among those that a caller sees. */
export const findOwnFingerprints: Statement<[sought: Sought, caller: Visibility], FoundFingerprint> = {
  text: searchIn({
    newest: 'select f.* from fingerprints f where f.account_id = $6 order by f.task_id desc',
    looked: `(${withTerms('$8')}) union (${withTerms('$1')})`,
    isShown: `c.account_id = $6 and ${isSeen('c.key_id', '$7')}`,
  }),
  values: (sought, { accountId, ownKeyId }) => [
    ...soughtBy(quartersOf(accountId, sought.hashes), sought),
    accountId,
    ownKeyId,
    [termOf(accountId, sought.sha256.toString('hex'))],
  ],
};

/** The same among those of all accounts, for operators. */
export const findFingerprints: Statement<[sought: Sought], FoundFingerprint> = {
  text: searchIn({
    newest: 'select f.* from fingerprints f order by f.task_id desc',
    looked: `(${withTerms('$6')}) union (${withTerms('$1')})`,
  }),
  values: (sought) => [
    ...soughtBy(quartersOf(EVERYBODY, sought.hashes), sought),
    [termOf(EVERYBODY, sought.sha256.toString('hex'))],
  ],
};

/** Answers a row if an account has results to compare a file with. */
export const hasOwnFingerprints: Statement<[accountId: string], object> = {
  text: 'select task_id from fingerprints where account_id = $1 order by task_id limit 1',
  values: (accountId) => [accountId],
};

/** The same of all accounts. */
export const hasFingerprints: Statement<[], object> = {
  text: 'select task_id from fingerprints order by task_id limit 1',
  values: () => [],
};
