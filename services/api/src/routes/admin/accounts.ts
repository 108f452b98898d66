import type { AccountSettings } from '@mediagate/billing';
import { PRIORITY_CLASSES } from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest } from '@mediagate/database';
import {
  type AccountPage,
  type AccountQuery,
  type AccountSummary,
  describeAccount,
  type NewAccount,
} from '@mediagate/identity';
import { makeCursor } from '../../http/cursor';
import { sendJson } from '../../http/exchange';
import type { OperatorHandler } from '../../http/handler';
import { accountNotFound, refusedBy } from '../../use-cases/account-refusals';
import { describeChanged, readChange, requireChanged, sendData } from './change';
import { readPage } from './page';

type ChangeAccount = (id: string, request: ChangeRequest) => Promise<ChangeOutcome>;

export interface AccountDeps {
  openAccount(account: Pick<NewAccount, 'name' | 'priorityClass'>, request: ChangeRequest): Promise<ChangeOutcome>;
  readAccount(id: string): Promise<AccountSummary | undefined>;
  listAccounts(query: AccountQuery): Promise<AccountPage>;
  findAccountOfKey(keyId: string): Promise<AccountSummary | undefined>;
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
export function createListAccounts({ listAccounts, findAccountOfKey }: AccountDeps): OperatorHandler {
  return async ({ request, response }) => {
    const { query, limit, place: before } = readPage(request, LIST);
    const [text, keyId] = [query.text('query'), query.text('key_id')];
    const state = query.oneOf('state', STATES);
    if (keyId !== undefined && text !== undefined) query.refuse('key_id', 'not_together', { other: 'query' });
    query.end();
    const { accounts, next } =
      keyId === undefined
        ? await listAccounts({ text, state, before, limit })
        : { accounts: await accountsOfKey(keyId), next: undefined };
    sendJson(response, 200, {
      code: 200,
      data: accounts.filter((account) => (state ?? account.state) === account.state).map(describeAccount),
      next_cursor: next === undefined ? null : makeCursor(LIST, next),
      has_more: next !== undefined,
    });

    async function accountsOfKey(id: string): Promise<AccountSummary[]> {
      const account = await findAccountOfKey(id);
      return account ? [account] : [];
    }
  };
}

/** POST /admin/v1/accounts */
export function createOpenAccount({ openAccount }: AccountDeps): OperatorHandler {
  return async (call) => {
    const { fields, end } = await readChange(call);
    const name = fields.requiredLine('name', NAME);
    const priorityClass = fields.oneOf('priority_class', PRIORITY_CLASSES);
    const outcome = await openAccount({ name, priorityClass }, end());
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
      priorityClass: fields.oneOf('priority_class', PRIORITY_CLASSES),
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
