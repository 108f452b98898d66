import type { JsonObject } from '@mediagate/contracts';
import { describeKey, searchKeys } from '@mediagate/identity';
import { changeByCaller } from '../../../http/access/caller-change';
import { sendKey } from '../../../http/answers/send-key';
import { readJsonPatch } from '../../../http/body/json-body';
import type { Call } from '../../../http/exchange';
import { BodyFields } from '../../../http/fields/body-fields';
import { readIsTest, readKeySettings } from '../../../http/fields/key-fields';
import { readPageQuery, sendPage } from '../../../http/fields/page';
import type { KeyHandler } from '../../../http/route';
import { updateKey as changeKey, revokeKey as endKey, type KeyManager, makeKey } from '../../../use-cases/manage-keys';

const LIST = 'keys';

/** POST /v1/keys */
export const createKey: KeyHandler = async (call, api) => {
  const body = await readJsonPatch(call);
  const fields = new BodyFields(body);
  const settings = readKeySettings(fields, api.models());
  const isTest = readIsTest(fields);
  fields.end();
  const { accountId } = call.caller;
  const made = await makeKey(api, managerOf(call, body), { ...settings, isTest, accountId });
  sendKey(call.response, made);
};

/** GET /v1/keys: those that the key sees, the newest first. */
export const listKeys: KeyHandler = async ({ request, response, caller: { accountId, ownKeyId } }, { database }) => {
  const { query, limit, place: before } = readPageQuery(request, LIST);
  const revoked = query.oneOf('revoked', ['true', 'false']) === 'true';
  query.end();
  sendPage(response, LIST, await searchKeys(database, { accountId, ownKeyId, revoked, limit, before }), describeKey);
};

/** PATCH /v1/keys/{key_id} */
export const updateKey: KeyHandler = async (call, api) => {
  const body = await readJsonPatch(call);
  const fields = new BodyFields(body);
  const settings = readKeySettings(fields, api.models());
  fields.end();
  sendKey(call.response, await changeKey(api, managerOf(call, body), { id: keyIdOf(call), settings }));
};

/** DELETE /v1/keys/{key_id} */
export const revokeKey: KeyHandler = async (call, api) =>
  sendKey(call.response, await endKey(api, managerOf(call), keyIdOf(call)));

function managerOf(call: Call, body?: JsonObject): KeyManager {
  return { ...changeByCaller(call, body), caller: call.caller };
}

function keyIdOf({ request }: Call): string {
  return String(request.params['key_id']);
}
