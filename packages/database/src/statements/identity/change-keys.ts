import type { KeyScope, Nano } from '@mediagate/contracts';
import { change, noteOf, UNLESS_UNCHANGED, withNote } from './note';

/** The settings of a key; null lifts a limit, an absent setting stays as it is. */
export interface KeySettings {
  name?: string;
  quotaNano?: Nano | null;
  families?: readonly string[];
  models?: readonly string[];
  submitPerMinute?: number;
  queryPerMinute?: number;
  /** Tasks of one family that may run at once. */
  maxConcurrent?: number | null;
  /** Null: never. */
  expiresAt?: Date | null;
  /** The right `manage`: it makes other keys of its account. */
  canManage?: boolean;
  /** How much it sees of its account. Absent for a new key: `account`, or `own` where another key makes it. */
  scope?: KeyScope;
}

export interface KeySecret {
  secretHash: Buffer;
  lastFour: string;
}

export interface KeyToIssue extends Required<Omit<KeySettings, 'scope'>>, Pick<KeySettings, 'scope'>, KeySecret {
  id: string;
  accountId: string;
  /** The key that makes it; undefined: an operator does. */
  makerId: string | undefined;
  /** A test key, for good; whatever a test key makes is one anyway. */
  isTest: boolean;
}

/**
 * No row: there is no such account, it is closed, it has so many keys already, or the key that makes it was revoked or is of a
 * suspended account.
 */
export const issueKey = change<[key: KeyToIssue, maxKeys: number]>({
  text: withNote(`
changed as (
  select m.id as subject, null::jsonb as before, key_snapshot(m) as after from make_key($2::jsonb, $3::int) m
)`),
  values: ({ id, accountId, makerId, isTest, ...columns }, maxKeys, request) => [
    noteOf('key.create', request),
    JSON.stringify({ ...columnsOf(columns), id, account_id: accountId, maker_id: makerId, is_test: isTest }),
    maxKeys,
  ],
});

/** A key's own row as an entry of the audit log has it (`key_snapshot`). Times are in ISO 8601. */
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
  /** Absent in entries of releases that did not know it: `account`. */
  scope?: KeyScope;
  isTest: boolean;
  makerId: string | null;
  /** Absent in entries of releases that did not know it. */
  madeBy?: string | null;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
};

/** The action for the audit log. */
export type KeyAction = 'key.update' | 'key.rotate' | 'key.revoke';

export interface KeyChange {
  action: KeyAction;
  columns: KeySettings & Partial<KeySecret> & { revoked?: true };
}

/**
 * No row: there is no such key; it, or the key that made it, was revoked; it would manage although a key made it; or it stands for a
 * user of the console, whose key the console alone knows, and is not to be revoked.
 */
export const changeKey = change<[id: string, change: KeyChange]>({
  text: withNote(
    `
wanted as materialized (
  select k.id from api_keys k
  where k.id = $2 and ($3::jsonb ? 'revoked' or not exists (select from users u where u.credential_id = k.id))
),
changed as (
  select w.id as subject, c.before, c.after from wanted w cross join lateral change_key(w.id, $3::jsonb) c
)`,
    // A new secret may end in the same four characters.
    `n.action <> 'key.update' or ${UNLESS_UNCHANGED}`,
  ),
  values: (id, { action, columns }, request) => [
    noteOf(action, request),
    id,
    JSON.stringify({ ...columnsOf(columns), revoked: columns.revoked }),
  ],
});

/** Maps settings to the columns' names; nano-units become texts, because JSON numbers are floats. */
function columnsOf({ name, quotaNano, families, models, ...others }: KeySettings & Partial<KeySecret>) {
  return {
    name,
    quota_nano: quotaNano?.toString() ?? quotaNano,
    families,
    models,
    submit_per_minute: others.submitPerMinute,
    query_per_minute: others.queryPerMinute,
    max_concurrent: others.maxConcurrent,
    expires_at: others.expiresAt,
    can_manage: others.canManage,
    scope: others.scope,
    secret_hash: others.secretHash && `\\x${others.secretHash.toString('hex')}`,
    last_four: others.lastFour,
  };
}
