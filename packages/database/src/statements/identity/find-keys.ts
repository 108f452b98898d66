import type { KeyScope, Nano } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import type { AccountState } from '../billing/accounts';
import { isSeen, type Visibility } from '../visibility';

/** A key as it stands: with the limits, the end and the revocation of the key that made it, where those are stricter. */
export interface KeyRow {
  id: string;
  accountId: string;
  name: string;
  secretHash: Buffer;
  lastFour: string;
  /** Null: unlimited. */
  quotaNano: Nano | null;
  /** Its own; empty: all. */
  families: string[];
  models: string[];
  submitPerMinute: number;
  queryPerMinute: number;
  maxConcurrent: number | null;
  canManage: boolean;
  /** `account` only where that of the key that made it is so, too. */
  scope: KeyScope;
  isTest: boolean;
  /** The key that made it, and whose limits bind it, too; null: none does. */
  makerId: string | null;
  /** The key of the console's user who made it; null: nobody did so there. */
  madeBy: string | null;
  /** A user of the console signs in by it. */
  isOfUser: boolean;
  /** Empty: all. */
  makerFamilies: string[];
  makerModels: string[];
  makerSubmitPerMinute: number | null;
  makerQueryPerMinute: number | null;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  accountState: AccountState;
  /** Limit for all keys of the account together; null: no limit. */
  accountSubmitPerMinute: number | null;
  accountQueryPerMinute: number | null;
}

const REVOKED_AT = 'coalesce(k.revoked_at, m.revoked_at)';
const COLUMNS = `k.id, k.account_id as "accountId", k.name, k.secret_hash as "secretHash", k.last_four as "lastFour",
  least(k.quota_nano, m.quota_nano) as "quotaNano", k.families, k.models,
  least(k.submit_per_minute, m.submit_per_minute) as "submitPerMinute",
  least(k.query_per_minute, m.query_per_minute) as "queryPerMinute", k.max_concurrent as "maxConcurrent",
  k.can_manage as "canManage", case when m.scope = 'own' then 'own' else k.scope end as scope, k.is_test as "isTest",
  k.maker_id as "makerId", k.made_by as "madeBy", exists (select from users u where u.credential_id = k.id) as "isOfUser",
  coalesce(m.families, '{}') as "makerFamilies",
  coalesce(m.models, '{}') as "makerModels", m.submit_per_minute as "makerSubmitPerMinute",
  m.query_per_minute as "makerQueryPerMinute", k.created_at as "createdAt", least(k.expires_at, m.expires_at) as "expiresAt",
  ${REVOKED_AT} as "revokedAt", a.state as "accountState", a.submit_per_minute as "accountSubmitPerMinute",
  a.query_per_minute as "accountQueryPerMinute"`;
const KEYS = 'api_keys k join accounts a on a.id = k.account_id left join api_keys m on m.id = k.maker_id';

/** Revoked keys, too; in no particular order. */
export const findKeys: Statement<[ids: readonly string[]], KeyRow> = {
  text: `select ${COLUMNS} from ${KEYS} where k.id = any($1::text[])`,
  values: (ids) => [ids],
};

export interface KeyQuery {
  /** True: only revoked keys; false: only the others; absent: both. */
  revoked?: boolean;
  /** Only keys that were neither made nor used since; absent: all. */
  unusedSince?: Date | undefined;
  /** The id of a key: only those made before it. */
  before?: string | undefined;
  /** Absent: all. */
  limit?: number;
}

export interface ListedKeyRow extends KeyRow {
  lastUsedAt: Date | null;
  /** The amount that it, with the keys that it made, has spent and reserved. */
  usedNano: Nano;
  /** The amount left of its quota and its maker's, below zero where the maker's was lowered; null: neither has one. */
  leftNano: Nano | null;
}

const LISTED = `select ${COLUMNS}, u.last_used_at as "lastUsedAt",
  k.held_nano + k.settled_nano
    + (select coalesce(sum(o.held_nano + o.settled_nano), 0)::bigint from api_keys o where o.maker_id = k.id) as "usedNano",
  least(shared_quota_left(k), shared_quota_left(m)) as "leftNano"
from ${KEYS} left join api_key_uses u on u.key_id = k.id`;
/**
 * @param before a parameter: the id of a key, or null for the first page. Keys are never deleted, and nothing is before an unknown one.
 * @param isOwn the condition for that key
 */
const isBefore = (before: string, isOwn = 'true') => `(k.created_at, k.id) < (
    case when ${before}::text is null then 'infinity' else (select b.created_at from api_keys b where b.id = ${before} and ${isOwn}) end,
    coalesce(${before}, ''))`;
const isWanted = (unusedSince: string) => `($1::bool is null or (${REVOKED_AT} is not null) = $1)
  and (${unusedSince}::timestamptz is null or greatest(k.created_at, u.last_used_at) < ${unusedSince})`;

/** Lists an account's keys that the caller sees, the newest first. */
export const listKeysOfAccount: Statement<[who: Visibility, query: KeyQuery], ListedKeyRow> = {
  text: `${LISTED}
where ${isWanted('$6')} and k.account_id = $2 and ${isSeen('k.id', '$5')}
  and ${isBefore('$3', 'b.account_id = $2')}
order by k.created_at desc, k.id desc limit $4`,
  values: ({ accountId, ownKeyId }, { revoked, before, limit, unusedSince }) => [
    revoked ?? null,
    accountId,
    before ?? null,
    limit ?? null,
    ownKeyId,
    unusedSince ?? null,
  ],
};

/** Finds a key of whatever account. */
export const findListedKey: Statement<[id: string], ListedKeyRow> = {
  text: `${LISTED} where k.id = $1`,
  values: (id) => [id],
};

export interface KeySearch extends Pick<KeyQuery, 'revoked' | 'before' | 'unusedSince'> {
  limit: number;
  /** Keys that one page looks at. */
  scanRows: number;
}

/** A row without an id: nothing was found. Each row has the same place. */
export interface FoundKey extends Omit<ListedKeyRow, 'id'> {
  id: string | null;
  /** Where the look ended before the page was full; null: it is full, or there is nothing further. */
  lookedUntil: string | null;
}

const NEWEST = `
  select k.created_at, k.id from api_keys k
  where ${isBefore('$2')}
  order by k.created_at desc, k.id desc limit $4`;

/** Lists keys of all accounts, the newest first. */
export const listKeys: Statement<[search: KeySearch], FoundKey> = {
  text: `
with found as materialized (
  select l.* from (${NEWEST}) c
  cross join lateral (${LISTED} where k.id = c.id and ${isWanted('$5')} limit 1) l
  order by c.created_at desc, c.id desc limit $3
),
scan as (
  select c.id from (${NEWEST}) c
  where (select count(*) from found) < $3 order by c.created_at desc, c.id desc offset $4 - 1 limit 1
)
select f.*, s.id as "lookedUntil"
from (select) only_one left join scan s on true left join found f on true
order by f."createdAt" desc, f.id desc`,
  values: ({ revoked, before, limit, scanRows, unusedSince }) => [
    revoked ?? null,
    before ?? null,
    limit,
    scanRows,
    unusedSince ?? null,
  ],
};
