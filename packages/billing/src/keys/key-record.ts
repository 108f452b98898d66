import type { Nano } from '@mediagate/contracts';
import {
  type AccountState,
  createBatcher,
  type Database,
  type KeyQuery,
  type KeyRow,
  type KeySnapshot,
} from '@mediagate/database';

/** A key as it is to be judged: where the key that made it is limited more, or ends sooner, so does this one. Never holds the secret. */
export interface KeyRecord {
  id: string;
  accountId: string;
  name: string;
  secretHash: Buffer;
  lastFour: string;
  /** Undefined: unlimited. */
  quotaNano: Nano | undefined;
  /** Empty: all that `maker` may use. */
  families: readonly string[];
  models: readonly string[];
  submitPerMinute: number;
  queryPerMinute: number;
  maxConcurrent: number | undefined;
  /** The right `manage`: it makes and changes other keys of its account. */
  canManage: boolean;
  /** Of tests: its tasks are free, and go to channels of tests alone. */
  isTest: boolean;
  /** The key that made it; undefined: an operator did. */
  maker: KeyMaker | undefined;
  createdAt: Date;
  /** Undefined: it does not. */
  expiresAt: Date | undefined;
  revokedAt: Date | undefined;
  accountState: AccountState;
  /** Of all keys of the account together; null: no limit. */
  accountSubmitPerMinute: number | null;
  accountQueryPerMinute: number | null;
}

export interface KeyMaker {
  id: string;
  /** Empty: all. */
  families: readonly string[];
  models: readonly string[];
}

export interface ListedKey extends KeyRecord {
  /** Give or take a minute; undefined: never. */
  lastUsedAt: Date | undefined;
}

/** The newest first. */
export async function listKeys(database: Pick<Database, 'listKeys'>, query: KeyQuery): Promise<ListedKey[]> {
  const rows = await database.listKeys(query);
  return rows.map(({ lastUsedAt, ...row }) => ({ ...toKeyRecord(row), lastUsedAt: lastUsedAt ?? undefined }));
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

function toKeyRecord({ makerId, makerFamilies, makerModels, ...row }: KeyRow): KeyRecord {
  return {
    ...row,
    quotaNano: row.quotaNano ?? undefined,
    maxConcurrent: row.maxConcurrent ?? undefined,
    maker: makerId === null ? undefined : { id: makerId, families: makerFamilies, models: makerModels },
    expiresAt: row.expiresAt ?? undefined,
    revokedAt: row.revokedAt ?? undefined,
  };
}

/** A key's own row: what its maker's limits make of it is not in it. */
export type OwnKey = Omit<
  ListedKey,
  'secretHash' | 'accountState' | 'accountSubmitPerMinute' | 'accountQueryPerMinute'
>;

/** As the audit log has it. */
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
