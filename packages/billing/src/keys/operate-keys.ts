import {
  type ChangeOutcome,
  type ChangeRequest,
  changeOnce,
  type Database,
  type KeyColumns,
  type KeySnapshot,
  sqlState,
} from '@mediagate/database';
import { type ApiKeyParts, formatApiKey, hashSecret, newApiKey } from './api-key';
import type { ListedKey } from './key-record';

/** What an operator says of a new key. */
export interface KeyOrder extends KeyColumns {
  accountId: string;
  /** Of tests, for good. Default: no. */
  isTest?: boolean;
}

/** The complete key is there only where it was made just now: it is kept nowhere. */
export type IssueOutcome = ChangeOutcome & { key?: string };

/** `unchanged`: there is no such account, or it is closed. */
export async function issueKey(
  database: Database,
  pepper: string,
  { order: { accountId, isTest = false, ...columns }, request }: { order: KeyOrder; request: ChangeRequest },
): Promise<IssueOutcome> {
  const parts = newApiKey(isTest);
  const secret = storedSecret(pepper, parts);
  const outcome = await changeOnce(database, request, () =>
    database.issueKey({ id: parts.id, accountId, isTest, columns, ...secret }, request),
  );
  return withKey(outcome, parts);
}

/**
 * `quota_below_used`: below what it has spent and holds. `unchanged`: there is no such key, it was revoked, or it would manage
 * although a key made it.
 */
export async function changeKey(
  database: Database,
  { id, columns }: { id: string; columns: KeyColumns },
  request: ChangeRequest,
): Promise<ChangeOutcome | { kind: 'quota_below_used' }> {
  try {
    return await changeOnce(database, request, () => database.changeKey(id, columns, request));
  } catch (error) {
    if (sqlState(error) === CHECK_VIOLATION) return { kind: 'quota_below_used' };
    throw error;
  }
}

/** The one check of a key's columns that a change can break is `api_keys_within_quota`. */
const CHECK_VIOLATION = '23514';

/**
 * A new secret under the same id; the old one ends with the authentication cache, within 5 s. `unchanged`: there is no such key,
 * or it was revoked.
 */
export async function replaceKeySecret(
  database: Database,
  { id, pepper }: { id: string; pepper: string },
  request: ChangeRequest,
): Promise<IssueOutcome> {
  const parts = { ...newApiKey(), id };
  const secret = storedSecret(pepper, parts);
  const outcome = await changeOnce(database, request, () => database.replaceKeySecret(id, secret, request));
  return withKey(outcome, parts);
}

/** Ends a key and those that it made; what has begun goes on. `unchanged`: there is no such key, or it was revoked before. */
export function endKey(database: Database, id: string, request: ChangeRequest): Promise<ChangeOutcome> {
  return changeOnce(database, request, () => database.endKey(id, request));
}

function storedSecret(pepper: string, { secret }: ApiKeyParts) {
  return { secretHash: hashSecret(pepper, secret), lastFour: secret.slice(-4) };
}

function withKey(outcome: ChangeOutcome, parts: ApiKeyParts): IssueOutcome {
  if (outcome.kind !== 'changed' || outcome.replayed) return outcome;
  const { isTest } = outcome.row.after as KeySnapshot;
  return { ...outcome, key: formatApiKey({ ...parts, isTest }) };
}

/** A key's own row, as it stood when it was changed: what its maker's limits make of it is not in it. */
export type OwnKey = Omit<
  ListedKey,
  'secretHash' | 'accountState' | 'accountSubmitPerMinute' | 'accountQueryPerMinute'
>;

export function keyOf(snapshot: KeySnapshot): OwnKey {
  const { quota, maxConcurrent, manage, makerId, createdAt, expiresAt, revokedAt, lastUsedAt, ...same } = snapshot;
  return {
    ...same,
    quotaNano: quota === null ? undefined : BigInt(quota),
    maxConcurrent: maxConcurrent ?? undefined,
    canManage: manage,
    maker: makerId === null ? undefined : { id: makerId, families: [], models: [] },
    createdAt: new Date(createdAt),
    expiresAt: timeOf(expiresAt),
    revokedAt: timeOf(revokedAt),
    lastUsedAt: timeOf(lastUsedAt),
  };
}

function timeOf(text: string | null): Date | undefined {
  return text === null ? undefined : new Date(text);
}
