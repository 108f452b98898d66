import type { AccountQuery, AccountSettings, AccountSummary } from '@mediagate/billing';
import type { ChangeOutcome, ChangeRequest } from '@mediagate/database';
import type { OperatorHandler } from '../../http/handler';
import { accountNotFound, refusedBy } from '../../use-cases/account-refusals';
import { describeAccount, describeChanged } from './account-record';
import { readChange, requireChanged, sendData } from './change';
import { readPage, sendPage } from './page';

type ChangeAccount = (id: string, request: ChangeRequest) => Promise<ChangeOutcome>;

export interface AccountDeps {
  openAccount(account: { name: string }, request: ChangeRequest): Promise<ChangeOutcome>;
  readAccount(id: string): Promise<AccountSummary | undefined>;
  listAccounts(query: AccountQuery): Promise<AccountSummary[]>;
  changeAccount(account: AccountSettings & { id: string }, request: ChangeRequest): Promise<ChangeOutcome>;
  suspendAccount: ChangeAccount;
  resumeAccount: ChangeAccount;
  closeAccount: ChangeAccount;
}

const LIST = 'accounts';
const STATES = ['active', 'suspended', 'closed'] as const;
const NAME = { maxCharacters: 200 };
const PER_MINUTE = { min: 1, max: 1_000_000 };

/** GET /admin/v1/accounts */
export function createListAccounts({ listAccounts }: AccountDeps): OperatorHandler {
  return async ({ request, response }) => {
    const { query, limit, place: before } = readPage(request, LIST);
    const [text, keyId] = [query.text('query'), query.text('key_id')];
    const state = query.oneOf('state', STATES);
    query.end();
    const found = await listAccounts({ text, state, keyId, before, limit: limit + 1 });
    sendPage(response, found, { list: LIST, limit, placeOf: ({ id }) => id, describe: describeAccount });
  };
}

/** POST /admin/v1/accounts */
export function createOpenAccount({ openAccount }: AccountDeps): OperatorHandler {
  return async (call) => {
    const { fields, end } = await readChange(call);
    const name = fields.requiredLine('name', NAME);
    const outcome = await openAccount({ name }, end());
    const changed = await requireChanged(call.response, outcome, { unchanged: neverUnchanged });
    sendData(call.response, describeChanged(changed), 201);
  };
}

function neverUnchanged(): never {
  throw new Error('an account that is opened has no state that forbids it');
}

/** GET /admin/v1/accounts/{account_id} */
export function createGetAccount({ readAccount }: AccountDeps): OperatorHandler {
  return async ({ request, response }) => {
    const account = await readAccount(String(request.params['account_id']));
    if (!account) throw accountNotFound();
    sendData(response, describeAccount(account));
  };
}

/** PATCH /admin/v1/accounts/{account_id} */
export function createUpdateAccount({ changeAccount }: AccountDeps): OperatorHandler {
  return async (call) => {
    const id = String(call.request.params['account_id']);
    const { fields, end } = await readChange(call);
    const settings = {
      id,
      name: fields.line('name', NAME),
      submitPerMinute: fields.orNull('submit_per_minute', (field) => fields.integer(field, PER_MINUTE)),
      queryPerMinute: fields.orNull('query_per_minute', (field) => fields.integer(field, PER_MINUTE)),
    };
    const outcome = await changeAccount(settings, end());
    const changed = await requireChanged(call.response, outcome, { unchanged: accountNotFound });
    sendData(call.response, describeChanged(changed));
  };
}

/** POST /admin/v1/accounts/{account_id}/suspend, /resume, /close */
export function createMoveAccount({ readAccount }: AccountDeps, change: ChangeAccount): OperatorHandler {
  return async (call) => {
    const id = String(call.request.params['account_id']);
    const outcome = await change(id, (await readChange(call)).end());
    const unchanged = async () => refusedBy(await readAccount(id));
    sendData(call.response, describeChanged(await requireChanged(call.response, outcome, { unchanged })));
  };
}
