import type { JsonObject } from '@mediagate/contracts';
import type { ChangeRequest } from '@mediagate/database';
import { readIdempotency } from '../use-cases/idempotency';
import type { Call } from './exchange';

/**
 * A change that a caller asks for; the audit log names its key.
 *
 * @throws GatewayError `invalid_request` for an idempotency key that is none.
 */
export function changeByCaller({ request, caller }: Call, body: JsonObject = {}): ChangeRequest {
  const idempotency = readIdempotency(request, `${request.method} ${request.path}`, body);
  return {
    actor: `key:${caller.id}`,
    accountId: caller.accountId,
    ...(idempotency === undefined ? {} : { idempotency }),
  };
}
