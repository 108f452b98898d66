import { failureOf, GatewayError, message, nanoToDecimal, refuseAll } from '@mediagate/contracts';
import { type ChangeRequest, type Database, type KeySettings, type Owned, sees } from '@mediagate/database';
import {
  changeKey,
  endKey,
  fieldsBeyond,
  findKey,
  findListedKey,
  type Identity,
  issueKey,
  type ListedKey,
  MAX_KEYS_OF_ACCOUNT,
  type NewKey,
  readAccount,
  replaceKeySecret,
  type SecretOutcome,
} from '@mediagate/identity';
import { type Caller, inactive } from './caller';
import { invalid } from './invalid';
import { refusedBy, requireMade } from './require-made';

/** How each setting is called in a body. */
export const SETTING_FIELDS = {
  name: 'name',
  quotaNano: 'quota',
  families: 'families',
  models: 'models',
  submitPerMinute: 'submit_per_minute',
  queryPerMinute: 'query_per_minute',
  maxConcurrent: 'max_concurrent',
  expiresAt: 'expires_at',
  canManage: 'manage',
  scope: 'scope',
} as const satisfies Record<keyof KeySettings, string>;

/** The caller or operator who makes and changes keys, with the request. */
export interface KeyManager extends ChangeRequest {
  /**
   * A key with the right `manage`, which manages those that it makes, and where it stands for an owner, all of the account; absent: an
   * operator, who manages all.
   */
  caller?: Caller;
}

export interface ManagedKey {
  /** The key as it is now. */
  record: ListedKey;
  /** The complete key; absent unless this request made its secret. */
  key?: string;
  /** The request came before, and what it wanted was done then. */
  replayed: boolean;
}

type Keys = Pick<Identity, 'database' | 'pepper'>;

/**
 * Makes a key. What changes and ends keys throws the same.
 *
 * @throws GatewayError `not_found` (no such key, or one that the caller does not see), `permission` (another key made it; the
 * account takes no keys), `invalid_request` (more than the caller has, a quota below what is spent), `conflict` (no more keys; the
 * account is closed; the key stands for a user), `idempotency_conflict`, `authentication` (the caller was revoked).
 */
export async function makeKey(
  { database, pepper }: Keys,
  by: KeyManager,
  key: Omit<NewKey, 'makerId'>,
): Promise<ManagedKey> {
  await requireWithinOwn(database, by, key);
  const owned = by.caller ? { ...key, makerId: by.caller.id } : key;
  const outcome = await issueKey(database, pepper, { key: owned, request: by });
  return answer(database, outcome, () => whyNotMade(database, by, key.accountId));
}

export async function updateKey(
  { database }: Keys,
  by: KeyManager,
  { id, settings }: { id: string; settings: KeySettings },
): Promise<ManagedKey> {
  const key = await requireManaged(database, by, id);
  await requireWithinOwn(database, by, settings);
  const outcome = await changeKey(database, { id, settings }, by);
  if (outcome.kind === 'quota_below_used') throw await belowUse(database, id);
  const managesThough = key.maker !== undefined && settings.canManage === true;
  return answer(database, outcome, () =>
    managesThough ? invalid(SETTING_FIELDS.canManage, 'must_be_one_of', { values: 'false' }) : whyNotChanged(key),
  );
}

/** Gives a key a new secret; the old one ends. */
export async function rotateKey({ database, pepper }: Keys, by: KeyManager, id: string): Promise<ManagedKey> {
  const key = await requireManaged(database, by, id);
  return answer(database, await replaceKeySecret(database, { id, pepper }, by), () => whyNotChanged(key));
}

/** A caller's revocation of a key that was revoked changes nothing. */
export async function revokeKey({ database }: Keys, by: KeyManager, id: string): Promise<ManagedKey> {
  const record = await requireManaged(database, by, id);
  if (by.caller && record.revokedAt) return { record, replayed: false };
  return answer(database, await endKey(database, id, by), unknownKey);
}

/** Judges settings by the caller's key as it is now. */
async function requireWithinOwn(database: Database, { caller }: KeyManager, settings: KeySettings): Promise<void> {
  if (!caller) return;
  const maker = await findKey(database, caller.id);
  if (!maker || maker.revokedAt) throw revoked();
  const failures = fieldsBeyond(maker, settings).map((field) =>
    failureOf('invalid_parameter', SETTING_FIELDS[field], ['must_be_within_own']),
  );
  refuseAll(failures);
}

/** Finds a key that the manager may change. Its maker and its account never change, so this holds until the change is written. */
async function requireManaged(database: Database, { caller }: KeyManager, id: string): Promise<ListedKey> {
  const key = KEY_ID.test(id) ? await findListedKey(database, id) : undefined;
  if (!key || (caller && !sees(caller, ownedBy(key)))) throw unknownKey();
  if (!caller || key.maker?.id === caller.id || isOwned(key, caller)) return key;
  throw new GatewayError('permission', message('key_not_made'), { reason: 'key_not_permitted' });
}

async function answer(
  database: Database,
  outcome: SecretOutcome,
  unchanged: () => Promise<GatewayError> | GatewayError,
): Promise<ManagedKey> {
  const { row, replayed } = await requireMade(outcome, { unchanged });
  const record = await findListedKey(database, row.subject);
  if (!record) throw new Error(`the key ${row.subject} was changed and is gone`);
  return { record, replayed, ...(outcome.key === undefined ? {} : { key: outcome.key }) };
}

async function whyNotMade(database: Database, { caller }: KeyManager, accountId: string): Promise<GatewayError> {
  const account = await readAccount(database, accountId);
  if (!caller) return !account || account.state === 'closed' ? refusedBy(account) : tooManyKeys();
  const maker = await findKey(database, caller.id);
  if (!maker || maker.revokedAt) return revoked();
  return maker.accountState === 'active' ? tooManyKeys() : inactive(`account_${maker.accountState}`);
}

/** A key is a work of its own. */
function ownedBy({ id, accountId, maker }: ListedKey): Owned {
  return { accountId, keyId: id, keyMakerId: maker?.id ?? null };
}

const KEY_ID = /^[0-9a-z]{12}$/;

/** An account's owner signs in by a key that makes none of its own: the owner manages all keys but those that users sign in by. */
function isOwned(key: ListedKey, caller: Caller): boolean {
  return caller.isOfUser && !key.isOfUser;
}

async function belowUse(database: Database, id: string): Promise<GatewayError> {
  const key = await findListedKey(database, id);
  const amount = nanoToDecimal(key?.usedNano ?? 0n);
  return invalid(SETTING_FIELDS.quotaNano, 'must_cover_use', { amount });
}

function whyNotChanged({ isOfUser, revokedAt }: ListedKey): GatewayError {
  if (!isOfUser || revokedAt) return unknownKey();
  return new GatewayError('conflict', message('key_of_user'), { reason: 'wrong_state' });
}

function unknownKey(): GatewayError {
  return new GatewayError('not_found', message('key_not_found'));
}

function revoked(): GatewayError {
  return new GatewayError('authentication', message('key_revoked'), { reason: 'key_revoked' });
}

function tooManyKeys(): GatewayError {
  const about = message('too_many_keys', { limit: MAX_KEYS_OF_ACCOUNT });
  return new GatewayError('conflict', about, { reason: 'too_many_keys' });
}
