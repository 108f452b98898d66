import type { KeySettings } from '@mediagate/database';
import type { KeyRecord } from './key-record';

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
