import { type AccountSummary, accountOf, type Funding } from '@mediagate/billing';
import { GatewayError, type JsonObject, message, nanoToNumber } from '@mediagate/contracts';
import type { AccountSnapshot, ChangeOutcome, ChangeRequest } from '@mediagate/database';
import { MAX_AMOUNT_UNITS } from '../../http/body-fields';
import type { OperatorHandler } from '../../http/handler';
import { unixSeconds } from '../../http/unix-seconds';
import { invalid } from '../../use-cases/invalid';
import { readChange, requireChanged, sendData } from './change';

export interface AccountDeps {
  openAccount(account: { name: string }, request: ChangeRequest): Promise<ChangeOutcome>;
  topUp(funding: Funding, request: ChangeRequest): Promise<ChangeOutcome>;
  adjust(funding: Funding & { note: string }, request: ChangeRequest): Promise<ChangeOutcome>;
  readAccount(id: string): Promise<AccountSummary | undefined>;
}

const NAME = { maxCharacters: 200 };
const REFERENCE = { maxCharacters: 200 };
const NOTE = { maxCharacters: 500 };

/** POST /admin/v1/accounts */
export function createOpenAccount({ openAccount }: AccountDeps): OperatorHandler {
  return async (call) => {
    const { fields, end } = await readChange(call);
    const name = fields.requiredLine('name', NAME);
    const outcome = await openAccount({ name }, end());
    const { after } = await requireChanged(call.response, outcome, { unchanged: neverUnchanged });
    sendData(call.response, describeAccount(accountOf(after as AccountSnapshot)), 201);
  };
}

function neverUnchanged(): never {
  throw new Error('an account that is opened has no state that forbids it');
}

/** POST /admin/v1/accounts/{account_id}/top-up */
export function createTopUpAccount({ topUp }: AccountDeps): OperatorHandler {
  return async (call) => {
    const accountId = String(call.request.params['account_id']);
    const { fields, end } = await readChange(call);
    const amountNano = fields.requiredAmount('amount', { above: 0 });
    const [reference, note] = [fields.line('reference', REFERENCE), fields.line('note', NOTE)];
    const funding = {
      accountId,
      amountNano,
      ...(reference === undefined ? {} : { reference }),
      ...(note === undefined ? {} : { note }),
    };
    const { after } = await requireChanged(call.response, await topUp(funding, end()), {
      unchanged: accountNotFound,
      duplicate: message('reference_booked', { field: 'reference' }),
    });
    sendData(call.response, describeAccount(accountOf(after as AccountSnapshot)));
  };
}

/** POST /admin/v1/accounts/{account_id}/adjust */
export function createAdjustAccount({ adjust, readAccount }: AccountDeps): OperatorHandler {
  return async (call) => {
    const accountId = String(call.request.params['account_id']);
    const { fields, end } = await readChange(call);
    const amountNano = fields.requiredAmount('amount', { above: -MAX_AMOUNT_UNITS });
    const request = end({ needsReason: true });
    const outcome = await adjust({ accountId, amountNano, note: request.reason ?? '' }, request);
    const { after } = await requireChanged(call.response, outcome, {
      unchanged: async () =>
        (await readAccount(accountId)) ? invalid('amount', 'balance_too_small') : accountNotFound(),
    });
    sendData(call.response, describeAccount(accountOf(after as AccountSnapshot)));
  };
}

/** GET /admin/v1/accounts/{account_id} */
export function createGetAccount({ readAccount }: AccountDeps): OperatorHandler {
  return async ({ request, response }) => {
    const account = await readAccount(String(request.params['account_id']));
    if (!account) throw accountNotFound();
    sendData(response, describeAccount(account));
  };
}

function accountNotFound(): GatewayError {
  return new GatewayError('not_found', message('account_not_found'));
}

function describeAccount(account: AccountSummary): JsonObject {
  const { id, name, balanceNano, heldNano, settledNano, createdAt } = account;
  return {
    id,
    name,
    balance: nanoToNumber(balanceNano),
    held: nanoToNumber(heldNano),
    settled: nanoToNumber(settledNano),
    created: unixSeconds(createdAt),
  };
}
