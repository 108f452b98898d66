import type { KeyQuery, ListedKey, OwnKey } from '@mediagate/billing';
import { type JsonObject, nanoToNumber } from '@mediagate/contracts';
import { makeCursor, readCursor } from '../../http/cursor';
import { type Call, sendJson } from '../../http/exchange';
import { readJsonPatch } from '../../http/json-body';
import { Query } from '../../http/query';
import { unixSeconds, unixSecondsOrNull } from '../../http/unix-seconds';
import type { FindModels } from '../../offered-models';
import type { ManageKeys } from '../../use-cases/manage-keys';
import { readKeySettings, readNewKey } from './key-fields';

export interface KeyDeps {
  manageKeys: Pick<ManageKeys, 'make' | 'change' | 'revoke'>;
  listKeys(query: KeyQuery): Promise<ListedKey[]>;
  models: FindModels;
}

const LIST = 'keys';
const LIMIT = { min: 1, max: 100, fallback: 20 };

/** POST /v1/keys */
export function createCreateKey({ manageKeys, models }: KeyDeps): (call: Call) => Promise<void> {
  return async (call) => {
    const fields = readNewKey(await readJsonPatch(call), (name) => models().find(name)?.entry.id);
    const { key, record } = await manageKeys.make(call.caller, fields.settings, fields);
    call.response.setHeader('Cache-Control', 'no-store');
    sendJson(call.response, 200, { code: 200, data: { ...describeKey(record), key } });
  };
}

/** GET /v1/keys: of the key's account, the newest first. */
export function createListKeys({ listKeys }: KeyDeps): (call: Call) => Promise<void> {
  return async ({ request, response, caller: { accountId } }) => {
    const query = new Query(request);
    const limit = query.integer('limit', LIMIT);
    const before = query.parsed('cursor', (cursor) => readKeyPlace(LIST, cursor), 'must_be_cursor');
    const revoked = query.oneOf('revoked', ['true', 'false']) === 'true';
    query.end();
    // One more tells whether there are more.
    const keys = await listKeys({ accountId, revoked, ...(before ? { before } : {}), limit: limit + 1 });
    const shown = keys.slice(0, limit);
    const last = shown.at(-1);
    const hasMore = keys.length > limit;
    sendJson(response, 200, {
      code: 200,
      data: shown.map(describeKey),
      next_cursor: hasMore && last ? makeCursor(LIST, placeOfKey(last)) : null,
      has_more: hasMore,
    });
  };
}

/** PATCH /v1/keys/{key_id} */
export function createUpdateKey({ manageKeys, models }: KeyDeps): (call: Call) => Promise<void> {
  return async (call) => {
    const settings = readKeySettings(await readJsonPatch(call), (name) => models().find(name)?.entry.id);
    const changed = await manageKeys.change(call.caller, keyIdOf(call), settings);
    sendJson(call.response, 200, { code: 200, data: describeKey(changed) });
  };
}

/** DELETE /v1/keys/{key_id} */
export function createRevokeKey({ manageKeys }: KeyDeps): (call: Call) => Promise<void> {
  return async (call) => {
    const revoked = await manageKeys.revoke(call.caller, keyIdOf(call));
    sendJson(call.response, 200, { code: 200, data: describeKey(revoked) });
  };
}

function keyIdOf({ request }: Call): string {
  return String(request.params['key_id']);
}

export function placeOfKey({ createdAt, id }: ListedKey): string {
  return `${createdAt.getTime()} ${id}`;
}

/** Undefined: it is no cursor of that list. */
export function readKeyPlace(list: string, cursor: string): KeyQuery['before'] {
  const [, time, id] = /^(\d{1,15}) ([0-9a-z]{12})$/.exec(readCursor(list, cursor) ?? '') ?? [];
  return time === undefined || id === undefined ? undefined : { createdAt: new Date(Number(time)), id };
}

export function describeKey(key: OwnKey): JsonObject {
  const { quotaNano, families, models, maker } = key;
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
    made_by: maker?.id ?? null,
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
