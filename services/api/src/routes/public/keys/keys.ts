import type { KeyPlace, KeyQuery } from '@mediagate/billing';
import type { JsonObject } from '@mediagate/contracts';
import { describeKey, listKeys } from '@mediagate/identity';
import type { Response } from 'express';
import { BodyFields } from '../../../http/body-fields';
import { changeByCaller } from '../../../http/caller-change';
import { makeCursor, readCursor } from '../../../http/cursor';
import { type Call, sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/handler';
import { readJsonPatch } from '../../../http/json-body';
import { Query } from '../../../http/query';
import type { KeyManager, ManagedKey } from '../../../use-cases/manage-keys';
import { readIsTest, readKeySettings } from './key-fields';

const LIST = 'keys';
const LIMIT = { min: 1, max: 100, fallback: 20 };

/** POST /v1/keys */
export const createKeyHandler: KeyHandler = async (call, { manageKeys, models }) => {
  const body = await readJsonPatch(call);
  const fields = new BodyFields(body);
  const settings = readKeySettings(fields, models());
  const isTest = readIsTest(fields);
  fields.end();
  const { accountId } = call.caller;
  const made = await manageKeys.make(managerOf(call, body), { ...settings, isTest, accountId });
  sendKey(call.response, made);
};

/** GET /v1/keys: those that the key sees, the newest first. */
export const listKeysHandler: KeyHandler = async (
  { request, response, caller: { accountId, ownKeyId } },
  { database },
) => {
  const query = new Query(request);
  const limit = query.integer('limit', LIMIT);
  const before = query.parsed('cursor', (cursor) => readKeyPlace(LIST, cursor), 'must_be_cursor');
  const revoked = query.oneOf('revoked', ['true', 'false']) === 'true';
  query.end();
  // One more tells whether there are more.
  const keys = await listKeys(database, {
    accountId,
    ownKeyId,
    revoked,
    ...(before ? { before } : {}),
    limit: limit + 1,
  });
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

/** PATCH /v1/keys/{key_id} */
export const updateKeyHandler: KeyHandler = async (call, { manageKeys, models }) => {
  const body = await readJsonPatch(call);
  const fields = new BodyFields(body);
  const settings = readKeySettings(fields, models());
  fields.end();
  sendKey(call.response, await manageKeys.change(managerOf(call, body), keyIdOf(call), settings));
};

/** DELETE /v1/keys/{key_id} */
export const revokeKeyHandler: KeyHandler = async (call, { manageKeys }) =>
  sendKey(call.response, await manageKeys.revoke(managerOf(call), keyIdOf(call)));

function managerOf(call: Call, body?: JsonObject): KeyManager {
  return { ...changeByCaller(call, body), caller: call.caller };
}

function keyIdOf({ request }: Call): string {
  return String(request.params['key_id']);
}

/** Sends a key, in answers to operators too, who see more of it. */
export function sendKey(
  response: Response,
  { record, key, replayed }: ManagedKey,
  { status = 200, describe = describeKey } = {},
): void {
  if (replayed) response.setHeader('Idempotency-Replayed', 'true');
  if (key !== undefined) response.setHeader('Cache-Control', 'no-store');
  const data = { ...describe(record), ...(key === undefined ? {} : { key }) };
  sendJson(response, status, { code: status, data });
}

export function placeOfKey({ createdAt, id }: KeyPlace): string {
  return `${createdAt.getTime()} ${id}`;
}

/** The place that a cursor names; undefined: it is no cursor of that list. */
export function readKeyPlace(list: string, cursor: string): KeyQuery['before'] {
  const [, time, id] = /^(\d{1,15}) ([0-9a-z]{12})$/.exec(readCursor(list, cursor) ?? '') ?? [];
  return time === undefined || id === undefined ? undefined : { createdAt: new Date(Number(time)), id };
}
