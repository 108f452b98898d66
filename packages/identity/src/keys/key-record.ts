import {
  type JsonObject,
  type KeyScope,
  type Nano,
  nanoToNumber,
  unixSeconds,
  unixSecondsOrNull,
} from '@mediagate/contracts';
import {
  type AccountState,
  createRowBatcher,
  type Database,
  type KeyQuery,
  type KeyRow,
  type KeySnapshot,
  type ListedKeyRow,
  type Page,
  readPage,
  type Visibility,
} from '@mediagate/database';

/**
 * A key as it is to be judged: where the key that made it is limited more, or ends sooner, so does this one. Never holds the secret. It is
 * the visibility of whoever calls with it.
 */
export interface KeyRecord extends Visibility {
  id: string;
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
  scope: KeyScope;
  /** A test key: its tasks are free, and go to test channels alone. */
  isTest: boolean;
  /** The key that made it, and whose limits bind it, too; undefined: none does. */
  maker: KeyMaker | undefined;
  /** The key of the console's user who made it; null: nobody did so there. */
  madeBy: string | null;
  /** A user of the console signs in by it. */
  isOfUser: boolean;
  createdAt: Date;
  /** Undefined: it does not. */
  expiresAt: Date | undefined;
  revokedAt: Date | undefined;
  accountState: AccountState;
  /** Limit for all keys of the account together; null: no limit. */
  accountSubmitPerMinute: number | null;
  accountQueryPerMinute: number | null;
}

export interface KeyMaker {
  id: string;
  /** Empty: all. */
  families: readonly string[];
  models: readonly string[];
  /** Limit for the maker, and for all keys that it made together. */
  submitPerMinute: number;
  queryPerMinute: number;
}

export interface ListedKey extends KeyRecord {
  /** Give or take a minute; undefined: never. */
  lastUsedAt: Date | undefined;
  /** The amount that it, with the keys that it made, has spent and reserved. */
  usedNano: Nano;
  /** The amount that is left of its quota and its maker's; undefined: neither has one. */
  leftNano: Nano | undefined;
}

/** Keys that a page looks at; then it ends short, and the next goes on. */
const SCAN_MAX_ROWS = 5_000;

/** Finds a key, revoked or not, of whatever account. */
export async function findListedKey(
  database: Pick<Database, 'findListedKey'>,
  id: string,
): Promise<ListedKey | undefined> {
  return (await database.findListedKey(id)).map(toListed)[0];
}

/** Lists keys of one account or of any, the newest first. @param ownKeyId one key alone, of its account; default: all. */
export async function searchKeys(
  database: Pick<Database, 'listKeys' | 'listKeysOfAccount'>,
  {
    accountId,
    ownKeyId = null,
    limit,
    ...query
  }: KeyQuery & { accountId?: string | undefined; ownKeyId?: string | null; limit: number },
): Promise<Page<ListedKey, string>> {
  const { rows, next } = await readPage<ListedKeyRow>(limit, (rowLimit) => {
    const wanted = { ...query, limit: rowLimit };
    return accountId === undefined
      ? database.listKeys({ ...wanted, scanRows: SCAN_MAX_ROWS })
      : database.listKeysOfAccount({ accountId, ownKeyId }, wanted);
  });
  return { rows: rows.map(toListed), next };
}

function toListed({ lastUsedAt, usedNano, leftNano, ...row }: ListedKeyRow): ListedKey {
  const left = leftNano === null ? undefined : leftNano < 0n ? 0n : leftNano;
  return { ...toKeyRecord(row), lastUsedAt: lastUsedAt ?? undefined, usedNano, leftNano: left };
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
  const find = createRowBatcher({
    maxItems: MAX_KEYS_TOGETHER,
    maxWaiting: MAX_KEYS_WAITING,
    rowsFor: (ids: string[]) => database.findKeys(ids),
    itemId: (id) => id,
    rowId: ({ id }) => id,
  });
  return async (id) => toFound(await find(id));
}

/** Finds a key, revoked or not. */
export async function findKey(database: Pick<Database, 'findKeys'>, id: string): Promise<KeyRecord | undefined> {
  return toFound((await database.findKeys([id]))[0]);
}

function toFound(row: KeyRow | undefined): KeyRecord | undefined {
  return row && toKeyRecord(row);
}

function toKeyRecord(found: KeyRow): KeyRecord {
  const { makerId: id, makerFamilies, makerModels, makerSubmitPerMinute, makerQueryPerMinute, ...row } = found;
  const limits = { families: makerFamilies, models: makerModels };
  const rates = { submitPerMinute: makerSubmitPerMinute ?? 0, queryPerMinute: makerQueryPerMinute ?? 0 };
  return {
    ...row,
    ownKeyId: row.scope === 'own' ? row.id : null,
    quotaNano: row.quotaNano ?? undefined,
    maxConcurrent: row.maxConcurrent ?? undefined,
    maker: id === null ? undefined : { id, ...limits, ...rates },
    expiresAt: row.expiresAt ?? undefined,
    revokedAt: row.revokedAt ?? undefined,
  };
}

/** A key's own row: what its maker's limits make of it, and what was used, is not in it. */
export interface OwnKey
  extends Omit<
    ListedKey,
    | 'secretHash'
    | 'ownKeyId'
    | 'accountState'
    | 'accountSubmitPerMinute'
    | 'accountQueryPerMinute'
    | 'maker'
    | 'isOfUser'
    | 'usedNano'
    | 'leftNano'
  > {
  maker: Pick<KeyMaker, 'id' | 'families' | 'models'> | undefined;
}

function keyOf(snapshot: KeySnapshot): OwnKey {
  const { quota, maxConcurrent, manage, scope, makerId, madeBy, createdAt, expiresAt, revokedAt, lastUsedAt, ...same } =
    snapshot;
  return {
    ...same,
    quotaNano: quota === null ? undefined : BigInt(quota),
    maxConcurrent: maxConcurrent ?? undefined,
    canManage: manage,
    scope: scope ?? 'account',
    maker: makerId === null ? undefined : { id: makerId, families: [], models: [] },
    madeBy: madeBy ?? null,
    createdAt: new Date(createdAt),
    expiresAt: timeOf(expiresAt),
    revokedAt: timeOf(revokedAt),
    lastUsedAt: timeOf(lastUsedAt),
  };
}

function timeOf(text: string | null): Date | undefined {
  return text === null ? undefined : new Date(text);
}

/** Describes a key as its account sees it. */
export function describeKey(key: ListedKey): JsonObject {
  const { usedNano, leftNano } = key;
  return {
    ...describeOwnKey(key),
    quota_used: nanoToNumber(usedNano),
    quota_left: leftNano === undefined ? null : nanoToNumber(leftNano),
  };
}

function describeOwnKey(key: OwnKey): JsonObject {
  const { quotaNano, families, models, maker, madeBy } = key;
  return {
    id: key.id,
    name: key.name,
    mode: key.isTest ? 'test' : 'live',
    last_four: key.lastFour,
    quota: quotaNano === undefined ? null : nanoToNumber(quotaNano),
    families: allowed(families, maker?.families),
    models: allowed(models, maker?.models),
    submit_per_minute: key.submitPerMinute,
    query_per_minute: key.queryPerMinute,
    max_concurrent: key.maxConcurrent ?? null,
    manage: key.canManage,
    scope: key.scope,
    made_by: maker?.id ?? madeBy,
    created: unixSeconds(key.createdAt),
    expires_at: unixSecondsOrNull(key.expiresAt),
    last_used_at: unixSecondsOrNull(key.lastUsedAt),
    revoked_at: unixSecondsOrNull(key.revokedAt),
  };
}

/** Its own, or where it has none, its maker's. */
function allowed(own: readonly string[], makers: readonly string[] = []): string[] {
  return own.length === 0 ? [...makers] : [...own];
}

/** Describes a key as operators see it. */
export function describeOperatorsKey(key: ListedKey): JsonObject {
  return { ...describeKey(key), account_id: key.accountId };
}

/** Describes a key as an entry of the audit log has it. */
export function describeLoggedKey(snapshot: KeySnapshot): JsonObject {
  const key = keyOf(snapshot);
  return { ...describeOwnKey(key), account_id: key.accountId };
}
