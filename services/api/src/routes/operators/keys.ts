import type { KeySettings, Page } from '@mediagate/database';
import { describeOperatorsKey, findListedKey, type ListedKey, searchKeys } from '@mediagate/identity';
import { sendKey } from '../../http/answers/send-key';
import type { OperatorCall } from '../../http/exchange';
import type { BodyFields } from '../../http/fields/body-fields';
import { readIsTest, readKeySettings } from '../../http/fields/key-fields';
import { readPageQuery, sendPage } from '../../http/fields/page';
import { ACCEPTED_TIME, readTime } from '../../http/fields/query-time';
import type { OperatorHandler } from '../../http/route';
import type { Operators } from '../../operators';
import { makeKey, revokeKey, rotateKey, SETTING_FIELDS, updateKey } from '../../use-cases/manage-keys';
import { readChange } from './change';

const LIST = 'operator-keys';
const ACCOUNT_ID = { maxCharacters: 64 };

/** GET /admin/v1/keys: the newest first. */
export const adminListKeys: OperatorHandler = async ({ request, response }, { database }) => {
  const { query, limit, place: before } = readPageQuery(request, LIST);
  const [accountId, id] = [query.text('account_id'), query.text('id')];
  const revoked = query.oneOf('revoked', ['true', 'false']);
  const unusedSince = query.parsed('unused_since', (text) => readTime(text, 0), ...ACCEPTED_TIME);
  query.end();
  const isRevoked = revoked === undefined ? {} : { revoked: revoked === 'true' };
  const page =
    id === undefined
      ? await searchKeys(database, { accountId, limit, ...isRevoked, unusedSince, before })
      : onlyPage(await findListedKey(database, id), { accountId, ...isRevoked });
  sendPage(response, LIST, page, describeOperatorsKey);
};

/** A page with the one key that is named, if it passes the other filters. */
function onlyPage(
  key: ListedKey | undefined,
  { accountId, revoked }: { accountId: string | undefined; revoked?: boolean },
): Page<ListedKey, string> {
  const isWanted =
    key !== undefined &&
    (accountId ?? key.accountId) === key.accountId &&
    (revoked === undefined || revoked === (key.revokedAt !== undefined));
  return { rows: isWanted ? [key] : [], next: undefined };
}

/** POST /admin/v1/keys */
export const adminCreateKey: OperatorHandler = async (call, operators) => {
  const { fields, end } = await readChange(call);
  const accountId = fields.requiredLine('account_id', ACCOUNT_ID);
  const settings = readSettings(fields, operators);
  const isTest = readIsTest(fields);
  const made = await makeKey(operators, end(), { ...settings, isTest, accountId });
  sendKey(call.response, made, { status: 201, describe: describeOperatorsKey });
};

/** PATCH /admin/v1/keys/{key_id} */
export const adminUpdateKey: OperatorHandler = async (call, operators) => {
  const { fields, end } = await readChange(call);
  const settings = readSettings(fields, operators);
  const changed = await updateKey(operators, end(), { id: keyIdOf(call), settings });
  sendKey(call.response, changed, { describe: describeOperatorsKey });
};

/** POST /admin/v1/keys/{key_id}/rotate */
export const adminRotateKey: OperatorHandler = async (call, operators) => {
  const { end } = await readChange(call);
  sendKey(call.response, await rotateKey(operators, end(), keyIdOf(call)), { describe: describeOperatorsKey });
};

/** POST /admin/v1/keys/{key_id}/revoke */
export const adminRevokeKey: OperatorHandler = async (call, operators) => {
  const { end } = await readChange(call);
  sendKey(call.response, await revokeKey(operators, end(), keyIdOf(call)), { describe: describeOperatorsKey });
};

/** The same fields as a key with the right `manage` sends for those that it makes, and `manage` itself. */
function readSettings(fields: BodyFields, { models }: Pick<Operators, 'models'>): KeySettings {
  const canManage = fields.boolean(SETTING_FIELDS.canManage);
  return { ...readKeySettings(fields, models()), ...(canManage === undefined ? {} : { canManage }) };
}

function keyIdOf({ request }: OperatorCall): string {
  return String(request.params['key_id']);
}
