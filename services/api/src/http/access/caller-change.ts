import type { JsonObject } from '@mediagate/contracts';
import type { ChangeRequest } from '@mediagate/database';
import { readIdempotency } from '../../use-cases/idempotency';
import type { Call } from '../exchange';

/**
 * A change that a caller asks for; the audit log names its key.
 *
 * @throws GatewayError `invalid_request` for an idempotency key that is none.
 */
export function changeByCaller(call: Call, body: JsonObject = {}): ChangeRequest {
  return { ...requestOf(call, body), counted: { as: 'changes', owner: call.caller.accountId } };
}

/** The same of callbacks that are sent again, which every key may ask for: they take nothing from the changes of its account. */
export function redeliveryByCaller(call: Call, body: JsonObject = {}): ChangeRequest {
  return { ...requestOf(call, body), counted: { as: 'redeliveries', owner: call.caller.id } };
}

function requestOf({ request, caller }: Call, body: JsonObject): ChangeRequest {
  const idempotency = readIdempotency(request, `${request.method} ${request.path}`, body);
  return { actor: `key:${caller.id}`, ...(idempotency === undefined ? {} : { idempotency }) };
}
