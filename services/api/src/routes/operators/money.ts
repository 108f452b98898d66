import {
  adjust,
  describeEntryToOperators,
  describeKept,
  describeRefund,
  listLedger,
  readCharge,
  refundOf,
  topUp,
} from '@mediagate/billing';
import { GatewayError, isTaskId, message, type Nano, nanoToDecimal } from '@mediagate/contracts';
import type { RefundSnapshot } from '@mediagate/database';
import { readAccount } from '@mediagate/identity';
import { requireChanged, sendData } from '../../http/answers/answer-change';
import { sendJson } from '../../http/exchange';
import { MAX_AMOUNT_UNITS } from '../../http/fields/body-fields';
import { nextPage, readNumberedPageQuery } from '../../http/fields/page';
import type { OperatorHandler } from '../../http/route';
import { invalid } from '../../use-cases/invalid';
import { accountNotFound, refusedBy } from '../../use-cases/require-made';
import { describeChanged, readChange } from './change';

const LIST = 'account-ledger';
const REFERENCE = { maxCharacters: 200 };
const NOTE = { maxCharacters: 500 };

/** POST /admin/v1/accounts/{account_id}/top-up */
export const adminTopUpAccount: OperatorHandler = async (call, { database }) => {
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
  const changed = await requireChanged(call.response, await topUp(database, funding, end()), {
    unchanged: async () => refusedBy(await readAccount(database, accountId)),
    duplicate: { message: message('reference_booked', { field: 'reference' }), param: 'reference' },
  });
  sendData(call.response, describeChanged(changed));
};

/** POST /admin/v1/accounts/{account_id}/adjust */
export const adminAdjustAccount: OperatorHandler = async (call, { database }) => {
  const accountId = String(call.request.params['account_id']);
  const { fields, end } = await readChange(call);
  const amountNano = fields.requiredAmount('amount', { above: -MAX_AMOUNT_UNITS });
  if (amountNano === 0n) fields.refuse('invalid_parameter', 'amount', 'must_not_be_zero');
  const request = end({ needsReason: true });
  const outcome = await adjust(database, { accountId, amountNano, note: request.reason ?? '' }, request);
  const changed = await requireChanged(call.response, outcome, {
    unchanged: async () =>
      (await readAccount(database, accountId)) ? invalid('amount', 'balance_too_small') : accountNotFound(),
  });
  sendData(call.response, describeChanged(changed));
};

/** POST /admin/v1/tasks/{task_id}/refund */
export const adminRefundTask: OperatorHandler = async (call, { database }) => {
  const { task_id: taskId } = call.request.params;
  if (!isTaskId(taskId)) throw new GatewayError('not_found', message('task_not_found'));
  const { fields, end } = await readChange(call);
  const amountNano = fields.amount('amount', { above: 0 });
  const request = end({ needsReason: true });
  const outcome = await database.refundTask({ taskId, amountNano, note: request.reason ?? '' }, request);
  const { after } = await requireChanged(call.response, outcome, {
    unchanged: async () => notRefunded(await readCharge(database, taskId)),
    duplicate: { message: message('task_refunded') },
  });
  sendData(call.response, describeRefund(refundOf(after as RefundSnapshot)));
};

function notRefunded(chargedNano: Nano | undefined): GatewayError {
  if (chargedNano === undefined) return new GatewayError('not_found', message('task_not_found'));
  if (chargedNano === 0n) {
    return new GatewayError('conflict', message('task_not_charged'), { reason: 'wrong_state' });
  }
  return invalid('amount', 'must_be_at_most', { limit: nanoToDecimal(chargedNano) });
}

/** GET /admin/v1/accounts/{account_id}/ledger: the newest first. */
export const adminListLedger: OperatorHandler = async ({ request, response }, { database }) => {
  const accountId = String(request.params['account_id']);
  const { query, limit, before } = readNumberedPageQuery(request, LIST);
  query.end();
  if (!(await readAccount(database, accountId))) throw accountNotFound();
  const { rows, next, keptSince } = await listLedger(database, { accountId, ownKeyId: null }, { before, limit });
  sendJson(response, 200, {
    code: 200,
    data: rows.map(describeEntryToOperators),
    ...nextPage(LIST, next),
    ...describeKept({ keptSince }),
  });
};
