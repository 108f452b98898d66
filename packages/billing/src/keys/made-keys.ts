import type { Database } from '@mediagate/database';
import type { KeyRecord } from './key-record';
import { createKey, type IssuedKey, type KeyChange, type KeySettings, updateKey } from './manage-keys';

/** What a key with the right `manage` may say of those that it makes. They never have that right themselves. */
export type MadeKeySettings = Partial<Omit<KeySettings, 'canManage'>>;

/** Of one account, without those that were revoked; whoever makes several at once may pass it by a few. */
export const MAX_KEYS_OF_ACCOUNT = 1000;

/** Undefined: the account has as many keys as it may. The maker's limits bind it too, whatever its own are. */
export async function makeKey(
  database: Database,
  pepper: string,
  { maker, settings, isTest }: { maker: KeyRecord; settings: MadeKeySettings; isTest: boolean },
): Promise<IssuedKey | undefined> {
  const { accountId, id: makerId } = maker;
  const keys = await database.apiKey.count({ where: { accountId, revokedAt: null } });
  if (keys >= MAX_KEYS_OF_ACCOUNT) return undefined;
  const maxConcurrent = settings.maxConcurrent ?? maker.maxConcurrent ?? null;
  return createKey(database, pepper, { ...settings, maxConcurrent, isTest, accountId, makerId });
}

export async function changeMadeKey(
  database: Database,
  { id, maker }: { id: string; maker: KeyRecord },
  settings: MadeKeySettings,
): Promise<KeyChange> {
  const isLifted = settings.maxConcurrent === null;
  const kept = isLifted ? { ...settings, maxConcurrent: maker.maxConcurrent ?? null } : settings;
  return updateKey(database, { id, makerId: maker.id }, kept);
}

/** Fields by which the settings would have more than the key that makes the key: what is null or empty is limited by the maker alone. */
export function fieldsBeyond(maker: KeyRecord, settings: MadeKeySettings): (keyof MadeKeySettings)[] {
  const { quotaNano, families = [], models = [], submitPerMinute, queryPerMinute, maxConcurrent, expiresAt } = settings;
  const isBeyond: [keyof MadeKeySettings, boolean][] = [
    ['quotaNano', isMore(quotaNano, maker.quotaNano)],
    ['families', hasMore(families, maker.families)],
    ['models', hasMore(models, maker.models)],
    ['submitPerMinute', isMore(submitPerMinute, maker.submitPerMinute)],
    ['queryPerMinute', isMore(queryPerMinute, maker.queryPerMinute)],
    ['maxConcurrent', isMore(maxConcurrent, maker.maxConcurrent)],
    ['expiresAt', isMore(expiresAt, maker.expiresAt)],
  ];
  return isBeyond.flatMap(([field, beyond]) => (beyond ? [field] : []));
}

function isMore<T extends bigint | number | Date>(value: T | null | undefined, limit: T | undefined): boolean {
  return value !== undefined && value !== null && limit !== undefined && value > limit;
}

function hasMore(names: readonly string[], allowed: readonly string[]): boolean {
  return allowed.length > 0 && names.some((name) => !allowed.includes(name));
}
