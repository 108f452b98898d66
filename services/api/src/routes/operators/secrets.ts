import { type AwaitedElsewhere, awaitedProblem, describeSecret, listSecrets, setSecret } from '@mediagate/channels';
import { GatewayError, type JsonObject, message, SECRET_NAME } from '@mediagate/contracts';
import { isOfSigning } from '@mediagate/settings';
import { requireChanged, sendData } from '../../http/answers/answer-change';
import { sendJson } from '../../http/exchange';
import type { BodyFields } from '../../http/fields/body-fields';
import { Query } from '../../http/fields/query';
import type { OperatorHandler } from '../../http/route';
import { unknownId } from '../../use-cases/invalid';
import { readChange } from './change';

const NAME = { maxCharacters: 64 };
const NAME_FORM = new RegExp(`^${SECRET_NAME}$`);
const NAME_RULE = 'lower-case letters, digits, ".", "_" and "-", with a letter or a digit first';
const VALUE_MAX_BYTES = 131_072;

/** GET /admin/v1/secrets */
export const adminListSecrets: OperatorHandler = async ({ request, response }, { channels }) => {
  new Query(request).end();
  sendJson(response, 200, { code: 200, data: (await listSecrets(channels)).map(describeSecret) });
};

/** POST /admin/v1/secrets */
export const adminSetSecret: OperatorHandler = async (call, { channels }) => {
  const { fields, end } = await readChange(call);
  const name = fields.requiredLine('name', NAME);
  if (name !== '' && !NAME_FORM.test(name)) {
    fields.refuse('invalid_parameter', 'name', 'setting_refused', { problem: NAME_RULE });
  }
  const value = readValue(fields, name);
  if (channels.sealer === undefined)
    fields.refuse('invalid_parameter', 'value', 'setting_refused', { problem: NO_KEY });
  const outcome = await setSecret(channels, { name, value }, end());
  if (outcome.kind === 'awaited_elsewhere') throw refusal(outcome);
  await requireChanged(call.response, outcome, { unchanged: unknownId });
  const secret = (await listSecrets(channels)).find((each) => each.name === name);
  if (!secret) throw unknownId();
  sendData(call.response, describeSecret(secret) as JsonObject);
};

/** PEM that signs results has several lines, and a vendor's key that is JSON may have them; any other key is sent in a header. */
function readValue(fields: BodyFields, name: string): string {
  const text = fields.text('value', { maxCharacters: VALUE_MAX_BYTES })?.trim();
  const value = fields.required('value', text || undefined) ?? '';
  const isOneLine = !isOfSigning(name) && !value.startsWith('{');
  const problem = Buffer.byteLength(value) > VALUE_MAX_BYTES ? TOO_LONG : isOneLine && /\p{Cc}/u.test(value) && SEVERAL;
  if (problem) fields.refuse('invalid_parameter', 'value', 'setting_refused', { problem });
  return value;
}

function refusal(awaited: AwaitedElsewhere): GatewayError {
  const about = message('setting_refused', { field: 'value', problem: awaitedProblem(awaited) });
  return new GatewayError('conflict', about, { reason: 'wrong_state' });
}

const NO_KEY = 'MEDIAGATE_SEALING_SECRET is not set';
const TOO_LONG = 'it has more than 131,072 bytes';
const SEVERAL = 'a key of several lines is JSON, or has a name that begins with signing.';

/** POST /admin/v1/secrets/{name}/remove */
export const adminRemoveSecret: OperatorHandler = async (call, { channels }) => {
  const name = String(call.request.params['name']);
  const { end } = await readChange(call);
  await requireChanged(call.response, await channels.database.removeVendorSecret(name, end()), {
    unchanged: unknownId,
  });
  sendData(call.response, { name, removed: true });
};
