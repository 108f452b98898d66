import { GatewayError, type JsonObject, type Message, message } from '@mediagate/contracts';
import type { ChangedRow, ChangeOutcome, ChangeRequest } from '@mediagate/database';
import type { Response } from 'express';
import { BodyFields } from '../../http/body-fields';
import { type OperatorCall, sendJson } from '../../http/exchange';
import { readJsonPatch, readOptionalJsonObject } from '../../http/json-body';
import { readIdempotency } from '../../use-cases/idempotency';

const REASON_MAX_CHARACTERS = 500;

/** What an operator asks to have changed. */
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
        actor: `operator:${operator.id}`,
        ...(reason === undefined ? {} : { reason }),
        ...(idempotency === undefined ? {} : { idempotency }),
      };
    },
  };
}

/** Why a change was not made, where it is not for an idempotency key. */
export interface Refusals {
  /** The row is not there, or its state does not allow it. */
  unchanged: () => Promise<GatewayError> | GatewayError;
  duplicate?: Message;
}

/** @throws GatewayError for a change that was not made. */
export async function requireChanged(
  response: Response,
  outcome: ChangeOutcome,
  { unchanged, duplicate = message('already_done') }: Refusals,
): Promise<ChangedRow> {
  switch (outcome.kind) {
    case 'changed':
      if (outcome.replayed) response.setHeader('Idempotency-Replayed', 'true');
      return outcome.row;
    case 'unchanged':
      throw await unchanged();
    case 'key_reused':
      throw new GatewayError('idempotency_conflict', message('idempotency_key_reused'));
    case 'duplicate':
      throw new GatewayError('conflict', duplicate, { reason: 'already_done' });
    default:
      return outcome satisfies never;
  }
}

export function sendData(response: Response, data: JsonObject, status = 200): void {
  sendJson(response, status, { code: status, data });
}
