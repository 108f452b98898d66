import { OVERLAP_SECONDS } from '@mediagate/api-contract';
import { readWebhookSecret, rotateWebhookSecret as rotate, type WebhookSecret } from '@mediagate/callbacks';
import { GatewayError, type Json, message, unixSeconds, unixSecondsOrNull } from '@mediagate/contracts';
import type { Response } from 'express';
import { readOptionalJsonObject } from '../../../http/body/json-body';
import { sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/route';
import { invalid } from '../../../use-cases/invalid';

/** GET /v1/webhooks/secret */
export const getWebhookSecret: KeyHandler = async ({ response, caller }, { callbacks }) =>
  sendSecret(response, await readWebhookSecret(callbacks, caller.accountId));

/** POST /v1/webhooks/secret/rotate */
export const rotateWebhookSecret: KeyHandler = async (call, { callbacks }) => {
  const { overlap_seconds: seconds } = await readOptionalJsonObject(call);
  const { id, accountId } = call.caller;
  const change = { overlapMs: readOverlap(seconds) * 1000, actor: `key:${id}`, isOwn: true };
  const outcome = await rotate(callbacks, accountId, change);
  if (outcome?.kind === 'overlapping') throw overlapping(outcome.until);
  sendSecret(call.response, outcome);
};

function readOverlap(seconds: Json | undefined): number {
  const { minimum: min, maximum: max } = OVERLAP_SECONDS;
  if (seconds === undefined) return OVERLAP_SECONDS.default;
  if (typeof seconds !== 'number' || !Number.isInteger(seconds)) throw invalid('overlap_seconds', 'must_be_integer');
  if (seconds < min || seconds > max) throw invalid('overlap_seconds', 'must_be_in_range', { min, max });
  return seconds;
}

function overlapping(until: Date): GatewayError {
  return new GatewayError('conflict', message('secret_overlapping', { time: until.toISOString() }), {
    reason: 'secret_overlapping',
    figures: { previous_valid_until: unixSeconds(until) },
  });
}

function sendSecret(response: Response, secret: WebhookSecret | undefined): void {
  if (!secret) throw new Error('an account whose key was let in is gone');
  response.setHeader('Cache-Control', 'no-store');
  const data = { secret: secret.secret, previous_valid_until: unixSecondsOrNull(secret.previousValidUntil) };
  sendJson(response, 200, { code: 200, data });
}
