import type { Family, Nano } from '@mediagate/contracts';
import { createBatcher, type Database, type KeyRow } from '@mediagate/database';
import { formatApiKey, hashSecret, newApiKey } from './api-key';

/** A key as the gateway authenticates by it. Never holds the secret. */
export interface KeyRecord {
  id: string;
  accountId: string;
  name: string;
  secretHash: Buffer;
  lastFour: string;
  /** Undefined: unlimited. */
  quotaNano: Nano | undefined;
  /** Empty: all. */
  families: readonly string[];
  models: readonly string[];
  submitPerMinute: number;
  queryPerMinute: number;
  maxConcurrent: number | undefined;
  createdAt: Date;
  revokedAt: Date | undefined;
}

export interface NewKey {
  accountId: string;
  name?: string;
  quotaNano?: Nano;
  families?: readonly Family[];
  models?: readonly string[];
  submitPerMinute?: number;
  queryPerMinute?: number;
  maxConcurrent?: number;
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
  const account = await database.account.findUnique({ where: { id: key.accountId }, select: { id: true } });
  if (!account) throw new UnknownAccountError(key.accountId);
  const parts = newApiKey();
  await database.apiKey.create({
    data: {
      id: parts.id,
      accountId: key.accountId,
      name: key.name ?? '',
      secretHash: new Uint8Array(hashSecret(pepper, parts.secret)),
      lastFour: parts.secret.slice(-4),
      quotaNano: key.quotaNano ?? null,
      families: [...(key.families ?? [])],
      models: [...(key.models ?? [])],
      maxConcurrent: key.maxConcurrent ?? null,
      ...(key.submitPerMinute === undefined ? {} : { submitPerMinute: key.submitPerMinute }),
      ...(key.queryPerMinute === undefined ? {} : { queryPerMinute: key.queryPerMinute }),
    },
  });
  return { id: parts.id, key: formatApiKey(parts) };
}

/** A new secret under the same id, quota and history; the old secret ends with the authentication cache, within 30 s. */
export async function rotateKey(database: Database, pepper: string, id: string): Promise<IssuedKey | undefined> {
  const { secret } = newApiKey();
  const { count } = await database.apiKey.updateMany({
    where: { id, revokedAt: null },
    data: { secretHash: new Uint8Array(hashSecret(pepper, secret)), lastFour: secret.slice(-4) },
  });
  return count === 0 ? undefined : { id, key: formatApiKey({ id, secret }) };
}

/** Tasks in flight go on and are settled. False when there is no such key, or it was revoked before. */
export async function revokeKey(database: Database, id: string): Promise<boolean> {
  const { count } = await database.apiKey.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  return count === 1;
}

export async function listKeys(database: Database, accountId?: string): Promise<KeyRecord[]> {
  const rows = await database.apiKey.findMany({
    where: accountId === undefined ? {} : { accountId },
    orderBy: { createdAt: 'asc' },
  });
  return rows.map((row) => toKeyRecord({ ...row, secretHash: Buffer.from(row.secretHash) }));
}

const MAX_KEYS_TOGETHER = 256;
const MAX_KEYS_WAITING = 5000;

/**
 * Finds keys by id, those asked for at one time in one statement: whoever invents ids costs few statements, however many
 * there are. Revoked keys are found too: whoever authenticates must say no to them.
 *
 * @throws DatabaseUnavailableError also when too many wait.
 */
export function createKeyFinder(database: Pick<Database, 'findKeys'>): (id: string) => Promise<KeyRecord | undefined> {
  return createBatcher({
    maxItems: MAX_KEYS_TOGETHER,
    maxWaiting: MAX_KEYS_WAITING,
    run: (ids: string[]) => findKeys(database, ids),
  });
}

/** One key, revoked or not. */
export async function findKey(database: Pick<Database, 'findKeys'>, id: string): Promise<KeyRecord | undefined> {
  return (await findKeys(database, [id]))[0];
}

/** In the order of the ids. */
async function findKeys(database: Pick<Database, 'findKeys'>, ids: string[]): Promise<(KeyRecord | undefined)[]> {
  const rows = await database.findKeys(ids);
  const byId = new Map(rows.map((row) => [row.id, toKeyRecord(row)]));
  return ids.map((id) => byId.get(id));
}

function toKeyRecord(row: KeyRow): KeyRecord {
  return {
    ...row,
    quotaNano: row.quotaNano ?? undefined,
    maxConcurrent: row.maxConcurrent ?? undefined,
    revokedAt: row.revokedAt ?? undefined,
  };
}
