import type { JsonObject } from '@mediagate/contracts';
import type { ChangedRow, ChangeOutcome } from '@mediagate/database';
import type { Response } from 'express';
import { type Refusals, requireMade } from '../../use-cases/require-made';
import { sendJson } from '../exchange';

/** @throws GatewayError for a change that was not made. */
export async function requireChanged(
  response: Response,
  outcome: ChangeOutcome,
  refusals: Refusals = {},
): Promise<ChangedRow> {
  const { row, replayed } = await requireMade(outcome, refusals);
  if (replayed) response.setHeader('Idempotency-Replayed', 'true');
  return row;
}

export function sendData(response: Response, data: JsonObject, status = 200): void {
  sendJson(response, status, { code: status, data });
}
