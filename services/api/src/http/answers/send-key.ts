import { describeKey } from '@mediagate/identity';
import type { Response } from 'express';
import type { ManagedKey } from '../../use-cases/manage-keys';
import { sendJson } from '../exchange';

/** Sends a key, in answers to operators too, who see more of it. */
export function sendKey(
  response: Response,
  { record, key, replayed }: ManagedKey,
  { status = 200, describe = describeKey } = {},
): void {
  if (replayed) response.setHeader('Idempotency-Replayed', 'true');
  if (key !== undefined) response.setHeader('Cache-Control', 'no-store');
  const data = { ...describe(record), ...(key === undefined ? {} : { key }) };
  sendJson(response, status, { code: status, data });
}
