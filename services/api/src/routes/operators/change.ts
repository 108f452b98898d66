import type { JsonObject } from '@mediagate/contracts';
import type { AccountSnapshot, ChangedRow, ChangeRequest } from '@mediagate/database';
import { accountOf, describeAccount } from '@mediagate/identity';
import { readJsonPatch, readOptionalJsonObject } from '../../http/body/json-body';
import type { OperatorCall } from '../../http/exchange';
import { BodyFields } from '../../http/fields/body-fields';
import { readIdempotency } from '../../use-cases/idempotency';

const REASON_MAX_CHARACTERS = 500;

/** A change that an operator asks for. */
export interface AskedChange {
  fields: BodyFields;
  body: JsonObject;
  /** Reads `reason`, which every change may have, and refuses what is wrong with the body. */
  end(options?: { needsReason?: boolean }): ChangeRequest;
}

/** @throws GatewayError `invalid_request` and others, for a body or an idempotency key that is none. */
export async function readChange(call: OperatorCall): Promise<AskedChange> {
  const { request, operator } = call;
  const body = request.method === 'PATCH' ? await readJsonPatch(call) : await readOptionalJsonObject(call);
  const idempotency = readIdempotency(request, `${request.method} ${request.path}`, body);
  const fields = new BodyFields(body);
  return {
    fields,
    body,
    end({ needsReason = false } = {}) {
      const limit = { maxCharacters: REASON_MAX_CHARACTERS };
      const reason = needsReason ? fields.requiredLine('reason', limit) : fields.line('reason', limit);
      fields.end();
      return {
        actor: operator.actor,
        ...(reason === undefined ? {} : { reason }),
        ...(idempotency === undefined ? {} : { idempotency }),
      };
    },
  };
}

/** The account as it was once the change was made, also where that was asked for again. */
export function describeChanged({ after }: ChangedRow): JsonObject {
  return describeAccount(accountOf(after as AccountSnapshot));
}
