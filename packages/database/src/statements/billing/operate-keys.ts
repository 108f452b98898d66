import type { Nano } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { type ChangedRow, type ChangeRequest, noteOf, withNote } from '../operators/note';

/** A key's own row as JSON, without its secret; not what its maker's limits make of it. The quota in nano-units, as decimal text. */
const keySnapshot = (alias: string): string => `jsonb_build_object('id', ${alias}.id, 'accountId', ${alias}.account_id,
    'name', ${alias}.name, 'lastFour', ${alias}.last_four, 'quota', ${alias}.quota_nano::text, 'families', ${alias}.families,
    'models', ${alias}.models, 'submitPerMinute', ${alias}.submit_per_minute, 'queryPerMinute', ${alias}.query_per_minute,
    'maxConcurrent', ${alias}.max_concurrent, 'manage', ${alias}.can_manage, 'isTest', ${alias}.is_test, 'makerId', ${alias}.maker_id,
    'createdAt', ${alias}.created_at, 'expiresAt', ${alias}.expires_at, 'revokedAt', ${alias}.revoked_at,
    'lastUsedAt', (select u.last_used_at from api_key_uses u where u.key_id = ${alias}.id))`;

/** Times as ISO 8601. */
export type KeySnapshot = {
  id: string;
  accountId: string;
  name: string;
  lastFour: string;
  quota: string | null;
  families: string[];
  models: string[];
  submitPerMinute: number;
  queryPerMinute: number;
  maxConcurrent: number | null;
  manage: boolean;
  isTest: boolean;
  makerId: string | null;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
};

/** What of a key may be said and changed; null lifts a limit, what is absent stays as it is. */
export interface KeyColumns {
  name?: string;
  quotaNano?: Nano | null;
  families?: readonly string[];
  models?: readonly string[];
  submitPerMinute?: number;
  queryPerMinute?: number;
  maxConcurrent?: number | null;
  expiresAt?: Date | null;
  canManage?: boolean;
}

/** Nano-units travel as texts because JSON numbers are floats. */
function columnsAsJson({ quotaNano, ...columns }: KeyColumns): string {
  const quota = quotaNano === undefined ? {} : { quota: quotaNano === null ? null : quotaNano.toString() };
  return JSON.stringify({ ...columns, ...quota });
}

/** The columns as JSON `f` has them, else as they stand in `otherwise`. */
const columnsFrom = (otherwise: Record<string, string>): Record<string, string> => ({
  name: `coalesce(f->>'name', ${otherwise['name']})`,
  quota_nano: `case when f ? 'quota' then (f->>'quota')::bigint else ${otherwise['quota_nano']} end`,
  families: textsFrom('families', otherwise),
  models: textsFrom('models', otherwise),
  submit_per_minute: `coalesce((f->>'submitPerMinute')::int, ${otherwise['submit_per_minute']})`,
  query_per_minute: `coalesce((f->>'queryPerMinute')::int, ${otherwise['query_per_minute']})`,
  max_concurrent: `case when f ? 'maxConcurrent' then (f->>'maxConcurrent')::int else ${otherwise['max_concurrent']} end`,
  expires_at: `case when f ? 'expiresAt' then (f->>'expiresAt')::timestamptz else ${otherwise['expires_at']} end`,
  can_manage: `coalesce((f->>'canManage')::boolean, ${otherwise['can_manage']})`,
});

function textsFrom(name: 'families' | 'models', otherwise: Record<string, string>): string {
  return `case when f ? '${name}' then array(select jsonb_array_elements_text(f->'${name}')) else ${otherwise[name]} end`;
}

/** As the table's own defaults. */
const NEW = columnsFrom({
  name: `''`,
  quota_nano: 'null',
  families: `'{}'::text[]`,
  models: `'{}'::text[]`,
  submit_per_minute: '300',
  query_per_minute: '3000',
  max_concurrent: 'null',
  expires_at: 'null',
  can_manage: 'false',
});
const CHANGED = columnsFrom(Object.fromEntries(Object.keys(NEW).map((column) => [column, `k.${column}`])));
const CHANGED_WITHIN_MAKER = {
  ...CHANGED,
  max_concurrent: `least(${CHANGED['max_concurrent']}, (select o.max_concurrent from api_keys o where o.id = k.maker_id))`,
};

export interface KeyToIssue {
  id: string;
  accountId: string;
  secretHash: Buffer;
  lastFour: string;
  /** Of tests, for good. */
  isTest: boolean;
  columns: KeyColumns;
}

/** No row: there is no such account, or it is closed. */
export const issueKey: Statement<[key: KeyToIssue, request: ChangeRequest], ChangedRow> = {
  text: withNote(`
issued as (
  insert into api_keys as k (id, account_id, secret_hash, last_four, is_test, ${Object.keys(NEW).join(', ')})
  select $2, a.id, $4, $5, $7, ${Object.values(NEW).join(', ')}
  from accounts a cross join (select $6::jsonb as f) given
  where a.id = $3 and a.state <> 'closed'
  returning k.id, ${keySnapshot('k')} as after
),
changed as (
  select id as subject, null::jsonb as before, after from issued
)`),
  values: ({ id, accountId, secretHash, lastFour, isTest, columns }, request) => [
    noteOf('key.create', request),
    id,
    accountId,
    secretHash,
    lastFour,
    columnsAsJson(columns),
    isTest,
  ],
};

/** A key that was not revoked, with its row before. */
const FOUND = `
found as materialized (
  select k.id, ${keySnapshot('k')} as before from api_keys k where k.id = $2 and k.revoked_at is null for update
)`;

/**
 * No row: there is no such key, it was revoked, or it would manage although a key made it. A made key never runs more tasks at
 * once than its maker may.
 */
export const changeKey: Statement<[id: string, columns: KeyColumns, request: ChangeRequest], ChangedRow> = {
  text: withNote(`${FOUND},
changed as (
  update api_keys k set ${Object.entries(CHANGED_WITHIN_MAKER)
    .map(([column, value]) => `${column} = ${value}`)
    .join(', ')}
  from found w cross join (select $3::jsonb as f) given
  where k.id = w.id and (k.maker_id is null or (f->>'canManage')::boolean is not true)
  returning k.id as subject, w.before, ${keySnapshot('k')} as after
),
made as (
  update api_keys m set max_concurrent = ($3::jsonb->>'maxConcurrent')::int
  from found w
  where m.maker_id = w.id and (m.max_concurrent <= ($3::jsonb->>'maxConcurrent')::int) is not true
    and ($3::jsonb->>'maxConcurrent') is not null
)`),
  values: (id, columns, request) => [noteOf('key.update', request), id, columnsAsJson(columns)],
};

export interface KeySecret {
  secretHash: Buffer;
  lastFour: string;
}

/** No row: there is no such key, or it was revoked. */
export const replaceKeySecret: Statement<[id: string, secret: KeySecret, request: ChangeRequest], ChangedRow> = {
  text: withNote(`${FOUND},
changed as (
  update api_keys k set secret_hash = $3, last_four = $4 from found w
  where k.id = w.id
  returning k.id as subject, w.before, ${keySnapshot('k')} as after
)`),
  values: (id, { secretHash, lastFour }, request) => [noteOf('key.rotate', request), id, secretHash, lastFour],
};

/** No row: there is no such key, or it was revoked before. */
export const endKey: Statement<[id: string, request: ChangeRequest], ChangedRow> = {
  text: withNote(`${FOUND},
changed as (
  update api_keys k set revoked_at = now() from found w
  where k.id = w.id
  returning k.id as subject, w.before, ${keySnapshot('k')} as after
)`),
  values: (id, request) => [noteOf('key.revoke', request), id],
};
