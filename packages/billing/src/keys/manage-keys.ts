import type { Family, Nano } from '@mediagate/contracts';
import { type Database, sqlState } from '@mediagate/database';
import { formatApiKey, hashSecret, newApiKey } from './api-key';

/** What whoever makes a key may say of it, and change later. */
export interface KeySettings {
  name: string;
  /** Null: unlimited. */
  quotaNano: Nano | null;
  /** Empty: all. */
  families: readonly Family[];
  models: readonly string[];
  submitPerMinute: number;
  queryPerMinute: number;
  /** Tasks of one family that may run at once; null: no limit. */
  maxConcurrent: number | null;
  /** Null: never. */
  expiresAt: Date | null;
  canManage: boolean;
}

export interface NewKey extends Partial<KeySettings> {
  accountId: string;
  /** Of tests, for good. Default: no. */
  isTest?: boolean;
  /** The key of the same account that makes it; absent: an operator does. */
  makerId?: string;
}

/** The only moment at which the complete key is known. */
export interface IssuedKey {
  id: string;
  key: string;
}

export class UnknownAccountError extends Error {
  constructor(accountId: string) {
    super(`there is no account ${accountId}`);
    this.name = 'UnknownAccountError';
  }
}

/** @throws UnknownAccountError */
export async function createKey(database: Database, pepper: string, key: NewKey): Promise<IssuedKey> {
  const { accountId, isTest = false, makerId, ...settings } = key;
  const account = await database.account.findUnique({ where: { id: accountId }, select: { id: true } });
  if (!account) throw new UnknownAccountError(accountId);
  const { id, secret } = newApiKey();
  await database.apiKey.create({
    data: {
      id,
      accountId,
      isTest,
      secretHash: new Uint8Array(hashSecret(pepper, secret)),
      lastFour: secret.slice(-4),
      ...(makerId === undefined ? {} : { makerId }),
      ...columnsOf(settings),
    },
  });
  return { id, key: formatApiKey({ id, secret, isTest }) };
}

/** Which key is to be changed: without `makerId` any of that id. */
export interface KeyTarget {
  id: string;
  makerId?: string;
}

/** `quota_below_used`: below what it has spent and holds; nothing was changed. `unknown`: there is none, or it was revoked. */
export type KeyChange = 'changed' | 'unknown' | 'quota_below_used';

/** Changes what is named, and leaves the rest. In effect with the authentication cache, within 5 s; a quota at once. */
export async function updateKey(
  database: Database,
  target: KeyTarget,
  settings: Partial<KeySettings>,
): Promise<KeyChange> {
  const { maxConcurrent } = settings;
  // Those that it made first: none may run more than it, whatever happens in between. A made key makes none.
  if (typeof maxConcurrent === 'number' && target.makerId === undefined) {
    await limitMadeKeys(database, target.id, maxConcurrent);
  }
  try {
    const { count } = await database.apiKey.updateMany({
      where: { ...target, revokedAt: null },
      data: columnsOf(settings),
    });
    return count === 1 ? 'changed' : 'unknown';
  } catch (error) {
    if (sqlState(error) === CHECK_VIOLATION) return 'quota_below_used';
    throw error;
  }
}

/** The one check of a key's columns that settings can break is `api_keys_within_quota`. */
const CHECK_VIOLATION = '23514';

async function limitMadeKeys(database: Database, makerId: string, maxConcurrent: number): Promise<void> {
  const unlimited = [{ maxConcurrent: null }, { maxConcurrent: { gt: maxConcurrent } }];
  await database.apiKey.updateMany({ where: { makerId, OR: unlimited }, data: { maxConcurrent } });
}

function columnsOf({ families, models, ...others }: Partial<KeySettings>) {
  return {
    ...others,
    ...(families === undefined ? {} : { families: [...families] }),
    ...(models === undefined ? {} : { models: [...models] }),
  };
}

/**
 * Ends a key and those that it made. Tasks in flight go on and are settled. False when there is no such key, or it was revoked
 * before.
 */
export async function revokeKey(database: Database, id: string): Promise<boolean> {
  const { count } = await database.apiKey.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  return count === 1;
}
