import { type JsonObject, nanoToNumber, unixSeconds, unixSecondsOrNull } from '@mediagate/contracts';
import type { OwnKey } from './key-record';

/** Describes a key as its account sees it. */
export function describeKey(key: OwnKey): JsonObject {
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

/** Describes a key as operators see it: as it stands, or as an entry of the audit log has it. */
export function describeOperatorsKey(key: OwnKey): JsonObject {
  return { ...describeKey(key), account_id: key.accountId };
}
