import {
  type AccountSummary,
  type IssueOutcome,
  type KeyOrder,
  type KeyQuery,
  keyOf,
  type ListedKey,
  type OwnKey,
} from '@mediagate/billing';
import { GatewayError, type JsonObject, message } from '@mediagate/contracts';
import type { ChangedRow, ChangeOutcome, ChangeRequest, KeyColumns, KeySnapshot } from '@mediagate/database';
import type { OperatorHandler } from '../../http/handler';
import { Query } from '../../http/query';
import type { FindModels, OfferedModels } from '../../offered-models';
import { invalid } from '../../use-cases/invalid';
import { readKeySettings, readNewKey, SETTING_FIELDS } from '../keys/key-fields';
import { describeKey, placeOfKey, readKeyPlace } from '../keys/keys';
import { refusedBy } from './account-record';
import { type AskedChange, readChange, requireChanged, sendData } from './change';
import { LIMIT, sendPage } from './page';

export interface OperatorKeyDeps {
  issueKey(order: KeyOrder, request: ChangeRequest): Promise<IssueOutcome>;
  changeKey(
    key: { id: string; columns: KeyColumns },
    request: ChangeRequest,
  ): Promise<ChangeOutcome | { kind: 'quota_below_used' }>;
  replaceKeySecret(id: string, request: ChangeRequest): Promise<IssueOutcome>;
  endKey(id: string, request: ChangeRequest): Promise<ChangeOutcome>;
  listKeys(query: KeyQuery): Promise<ListedKey[]>;
  readAccount(id: string): Promise<AccountSummary | undefined>;
  models: FindModels;
}

const LIST = 'operator-keys';
const ACCOUNT_ID = { maxCharacters: 64 };
const SETTINGS = Object.values(SETTING_FIELDS);

/** GET /admin/v1/keys: the newest first. */
export function createListOperatorKeys({ listKeys }: OperatorKeyDeps): OperatorHandler {
  return async ({ request, response }) => {
    const query = new Query(request);
    const limit = query.integer('limit', LIMIT);
    const before = query.parsed('cursor', (cursor) => readKeyPlace(LIST, cursor), 'must_be_cursor');
    const [accountId, id] = [query.text('account_id'), query.text('id')];
    const revoked = query.oneOf('revoked', ['true', 'false']);
    query.end();
    const found = await listKeys({
      limit: limit + 1,
      ...(before === undefined ? {} : { before }),
      ...(accountId === undefined ? {} : { accountId }),
      ...(id === undefined ? {} : { id }),
      ...(revoked === undefined ? {} : { revoked: revoked === 'true' }),
    });
    sendPage(response, found, { list: LIST, limit, placeOf: placeOfKey, describe: describeOperatorsKey });
  };
}

/** POST /admin/v1/keys */
export function createIssueKey({ issueKey, readAccount, models }: OperatorKeyDeps): OperatorHandler {
  return async (call) => {
    const asked = await readChange(call);
    const accountId = asked.fields.requiredLine('account_id', ACCOUNT_ID);
    const columns = readColumns(asked, models());
    const isTest = readIsTest(asked);
    const outcome = await issueKey({ accountId, isTest, ...columns }, asked.end());
    const unchanged = async () => refusedBy(await readAccount(accountId));
    const { after } = await requireChanged(call.response, outcome, { unchanged });
    call.response.setHeader('Cache-Control', 'no-store');
    sendData(call.response, withKey(after, outcome), 201);
  };
}

/** PATCH /admin/v1/keys/{key_id} */
export function createChangeKey({ changeKey, listKeys, models }: OperatorKeyDeps): OperatorHandler {
  return async (call) => {
    const id = String(call.request.params['key_id']);
    const asked = await readChange(call);
    const columns = readColumns(asked, models());
    const outcome = await changeKey({ id, columns }, asked.end());
    if (outcome.kind === 'quota_below_used') throw invalid(SETTING_FIELDS.quotaNano, 'must_cover_use');
    const unchanged = async () => {
      const [key] = columns.canManage ? await listKeys({ id, revoked: false }) : [];
      return key?.maker ? invalid('manage', 'must_be_one_of', { values: 'false' }) : keyNotFound();
    };
    const { after } = await requireChanged(call.response, outcome, { unchanged });
    sendData(call.response, describeAfter(after));
  };
}

/** POST /admin/v1/keys/{key_id}/rotate */
export function createRotateKey({ replaceKeySecret }: OperatorKeyDeps): OperatorHandler {
  return async (call) => {
    const outcome = await replaceKeySecret(String(call.request.params['key_id']), (await readChange(call)).end());
    const { after } = await requireChanged(call.response, outcome, { unchanged: keyNotFound });
    call.response.setHeader('Cache-Control', 'no-store');
    sendData(call.response, withKey(after, outcome));
  };
}

/** POST /admin/v1/keys/{key_id}/revoke */
export function createEndKey({ endKey }: OperatorKeyDeps): OperatorHandler {
  return async (call) => {
    const outcome = await endKey(String(call.request.params['key_id']), (await readChange(call)).end());
    const { after } = await requireChanged(call.response, outcome, { unchanged: keyNotFound });
    sendData(call.response, describeAfter(after));
  };
}

/** The same fields as a key with the right `manage` sends for those that it makes, and `manage` itself. */
function readColumns({ fields, body }: AskedChange, models: OfferedModels): KeyColumns {
  const canManage = fields.boolean('manage');
  fields.readElsewhere(SETTINGS);
  const given = Object.fromEntries(Object.entries(body).filter(([name]) => SETTINGS.some((each) => each === name)));
  const settings = readKeySettings(given, (name) => models.find(name)?.entry.id);
  return { ...settings, ...(canManage === undefined ? {} : { canManage }) };
}

function readIsTest({ fields, body: { mode } }: AskedChange): boolean {
  fields.readElsewhere(['mode']);
  return readNewKey(mode === undefined ? {} : { mode }, () => undefined).isTest;
}

function keyNotFound(): GatewayError {
  return new GatewayError('not_found', message('key_not_found'));
}

function withKey(after: ChangedRow['after'], { key }: IssueOutcome): JsonObject {
  return { ...describeAfter(after), ...(key === undefined ? {} : { key }) };
}

function describeAfter(after: ChangedRow['after']): JsonObject {
  return describeOperatorsKey(keyOf(after as KeySnapshot));
}

export function describeOperatorsKey(key: OwnKey): JsonObject {
  return { ...describeKey(key), account_id: key.accountId };
}
