import {
  type ChangeOutcome,
  type ChangeRequest,
  type Database,
  type KeySettings,
  sqlState,
  uncounted,
} from '@mediagate/database';
import { type ApiKeyParts, formatApiKey, hashSecret, newApiKey } from './api-key';
import type { KeyRecord } from './key-record';

export interface NewKey extends KeySettings {
  accountId: string;
  /** A test key, for good; whatever a test key makes is one anyway. Default: no. */
  isTest?: boolean;
  /** The key of the same account that makes it, and whose limits bind it too; absent: an operator does. */
  makerId?: string;
}

/** Keys of one account at most, not counting revoked ones. */
export const MAX_KEYS_OF_ACCOUNT = 1000;

const DEFAULTS: Required<Omit<KeySettings, 'scope'>> = {
  name: '',
  quotaNano: null,
  families: [],
  models: [],
  submitPerMinute: 300,
  queryPerMinute: 3000,
  maxConcurrent: null,
  expiresAt: null,
  canManage: false,
};

/** The complete key is there only where its secret was made just now: it is kept nowhere. */
export type SecretOutcome = ChangeOutcome & { key?: string };

/**
 * `unchanged`: there is no such account, it is closed or has as many keys as it may; or the key that makes it was revoked, or its
 * account suspended.
 */
export async function issueKey(
  database: Database,
  pepper: string,
  { key: { isTest = false, makerId, ...key }, request }: { key: NewKey; request: ChangeRequest },
): Promise<SecretOutcome> {
  const parts = newApiKey();
  const row = { ...DEFAULTS, ...key, ...storedSecret(pepper, parts), id: parts.id, isTest, makerId };
  return withKey(await database.issueKey(row, MAX_KEYS_OF_ACCOUNT, request), parts);
}

/** The only moment at which the complete key is known. */
export interface IssuedKey {
  id: string;
  key: string;
}

/** Nobody's wish: demonstrations, and tests. */
export async function createKey(database: Database, pepper: string, key: NewKey): Promise<IssuedKey> {
  const outcome = await issueKey(database, pepper, { key, request: { actor: 'system' } });
  if (outcome.kind !== 'changed' || outcome.key === undefined) throw new Error(`a key was not made: ${outcome.kind}`);
  return { id: outcome.row.subject, key: outcome.key };
}

/**
 * Changes what is named, and leaves the rest. In effect with the authentication cache, within 5 s; a quota at once. `unchanged`: as
 * for `endKey`, or it would manage although a key made it. `quota_below_used`: below what it, with those that it made, has spent and
 * holds.
 */
export async function changeKey(
  database: Database,
  { id, settings }: { id: string; settings: KeySettings },
  request: ChangeRequest,
): Promise<ChangeOutcome | { kind: 'quota_below_used' }> {
  try {
    return await database.changeKey(id, { action: 'key.update', columns: settings }, request);
  } catch (error) {
    if (sqlState(error) === CHECK_VIOLATION) return { kind: 'quota_below_used' };
    throw error;
  }
}

const CHECK_VIOLATION = '23514';

/** A new secret under the same id; the old one ends with the authentication cache, within 5 s. `unchanged`: as for `endKey`. */
export async function replaceKeySecret(
  database: Database,
  { id, pepper }: { id: string; pepper: string },
  request: ChangeRequest,
): Promise<SecretOutcome> {
  const parts = { ...newApiKey(), id };
  const columns = storedSecret(pepper, parts);
  return withKey(await database.changeKey(id, { action: 'key.rotate', columns }, request), parts);
}

/**
 * Ends a key and those that it made; what has begun goes on. `unchanged`: there is no such key; or it, or the key that made it, was
 * revoked before.
 */
export function endKey(database: Database, id: string, request: ChangeRequest): Promise<ChangeOutcome> {
  return database.changeKey(id, { action: 'key.revoke', columns: { revoked: true } }, uncounted(request));
}

function storedSecret(pepper: string, { secret }: ApiKeyParts) {
  return { secretHash: hashSecret(pepper, secret), lastFour: secret.slice(-4) };
}

function withKey(outcome: ChangeOutcome, parts: ApiKeyParts): SecretOutcome {
  if (outcome.kind !== 'changed' || outcome.replayed) return outcome;
  return { ...outcome, key: formatApiKey({ ...parts, isTest: outcome.row.after['isTest'] === true }) };
}

/** Fields by which a key would have more than the one that makes it: what is null or empty is limited by the maker alone. */
export function fieldsBeyond(maker: KeyRecord, settings: KeySettings): (keyof KeySettings)[] {
  const { quotaNano, families = [], models = [], submitPerMinute, queryPerMinute, maxConcurrent, expiresAt } = settings;
  const isBeyond: [keyof KeySettings, boolean][] = [
    ['quotaNano', isMore(quotaNano, maker.quotaNano)],
    ['families', hasMore(families, maker.families)],
    ['models', hasMore(models, maker.models)],
    ['submitPerMinute', isMore(submitPerMinute, maker.submitPerMinute)],
    ['queryPerMinute', isMore(queryPerMinute, maker.queryPerMinute)],
    ['maxConcurrent', isMore(maxConcurrent, maker.maxConcurrent)],
    ['expiresAt', isMore(expiresAt, maker.expiresAt)],
    ['scope', settings.scope === 'account' && maker.scope === 'own'],
  ];
  return isBeyond.flatMap(([field, beyond]) => (beyond ? [field] : []));
}

function isMore<T extends bigint | number | Date>(value: T | null | undefined, limit: T | undefined): boolean {
  return value !== undefined && value !== null && limit !== undefined && value > limit;
}

function hasMore(names: readonly string[], allowed: readonly string[]): boolean {
  return allowed.length > 0 && names.some((name) => !allowed.includes(name));
}
