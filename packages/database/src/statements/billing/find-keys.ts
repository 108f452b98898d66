import type { Nano } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import type { AccountState } from './account-snapshot';

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
  isTest: boolean;
  /** The key that made it; null: an operator did. */
  makerId: string | null;
  /** Empty: all. */
  makerFamilies: string[];
  makerModels: string[];
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  accountState: AccountState;
  /** Of all keys of the account together; null: no limit. */
  accountSubmitPerMinute: number | null;
  accountQueryPerMinute: number | null;
}

const REVOKED_AT = 'coalesce(k.revoked_at, m.revoked_at)';
const COLUMNS = `k.id, k.account_id as "accountId", k.name, k.secret_hash as "secretHash", k.last_four as "lastFour",
  least(k.quota_nano, m.quota_nano) as "quotaNano", k.families, k.models,
  least(k.submit_per_minute, m.submit_per_minute) as "submitPerMinute",
  least(k.query_per_minute, m.query_per_minute) as "queryPerMinute", k.max_concurrent as "maxConcurrent",
  k.can_manage as "canManage", k.is_test as "isTest", k.maker_id as "makerId", coalesce(m.families, '{}') as "makerFamilies",
  coalesce(m.models, '{}') as "makerModels", k.created_at as "createdAt", least(k.expires_at, m.expires_at) as "expiresAt",
  ${REVOKED_AT} as "revokedAt", a.state as "accountState", a.submit_per_minute as "accountSubmitPerMinute",
  a.query_per_minute as "accountQueryPerMinute"`;
const KEYS = 'api_keys k join accounts a on a.id = k.account_id left join api_keys m on m.id = k.maker_id';

/** Revoked keys, too; in no particular order. */
export const findKeys: Statement<[ids: readonly string[]], KeyRow> = {
  text: `select ${COLUMNS} from ${KEYS} where k.id = any($1::text[])`,
  values: (ids) => [ids],
};

export interface KeyQuery {
  /** Absent: of all accounts. */
  accountId?: string;
  /** This one alone. */
  id?: string;
  /** Those that were revoked, or those that were not; absent: both. */
  revoked?: boolean;
  /** Those made before that key. */
  before?: KeyPlace;
  /** Absent: all. */
  limit?: number;
}

/** Where a key stands in a list. */
export interface KeyPlace {
  createdAt: Date;
  id: string;
}

export interface ListedKeyRow extends KeyRow {
  lastUsedAt: Date | null;
}

/** The newest first. */
export const listKeys: Statement<[query: KeyQuery], ListedKeyRow> = {
  text: `
select ${COLUMNS}, u.last_used_at as "lastUsedAt"
from ${KEYS} left join api_key_uses u on u.key_id = k.id
where ($1::text is null or k.account_id = $1) and ($2::bool is null or (${REVOKED_AT} is not null) = $2)
  and ($3::timestamptz is null or (k.created_at, k.id) < ($3, $4::text)) and ($6::text is null or k.id = $6)
order by k.created_at desc, k.id desc limit $5`,
  values: ({ accountId, id, revoked, before, limit }) => [
    accountId ?? null,
    revoked ?? null,
    before?.createdAt ?? null,
    before?.id ?? null,
    limit ?? null,
    id ?? null,
  ],
};
