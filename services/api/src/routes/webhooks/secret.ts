import { OVERLAP_SECONDS } from '@mediagate/api-contract';
import type { SecretChange, WebhookSecret } from '@mediagate/callbacks';
import { type Json, unixSecondsOrNull } from '@mediagate/contracts';
import type { Response } from 'express';
import { type Call, sendJson } from '../../http/exchange';
import { readOptionalJsonObject } from '../../http/json-body';
import { invalid } from '../../use-cases/invalid';

export interface WebhookSecretDeps {
  readWebhookSecret(accountId: string): Promise<WebhookSecret | undefined>;
  /** @throws GatewayError `conflict` while another rotation's overlap runs. */
  rotateWebhookSecret(accountId: string, change: SecretChange): Promise<WebhookSecret>;
}

/** GET /v1/webhooks/secret */
export function createGetWebhookSecret({ readWebhookSecret }: WebhookSecretDeps): (call: Call) => Promise<void> {
  return async ({ response, caller }) => sendSecret(response, await readWebhookSecret(caller.accountId));
}

/** POST /v1/webhooks/secret/rotate */
export function createRotateWebhookSecret({ rotateWebhookSecret }: WebhookSecretDeps): (call: Call) => Promise<void> {
  return async (call) => {
    const { overlap_seconds: seconds } = await readOptionalJsonObject(call);
    const { id, accountId } = call.caller;
    const change = { overlapMs: readOverlap(seconds) * 1000, actor: `key:${id}` };
    sendSecret(call.response, await rotateWebhookSecret(accountId, change));
  };
}

function readOverlap(seconds: Json | undefined): number {
  const { minimum: min, maximum: max } = OVERLAP_SECONDS;
  if (seconds === undefined) return OVERLAP_SECONDS.default;
  if (typeof seconds !== 'number' || !Number.isInteger(seconds)) throw invalid('overlap_seconds', 'must_be_integer');
  if (seconds < min || seconds > max) throw invalid('overlap_seconds', 'must_be_in_range', { min, max });
  return seconds;
}

function sendSecret(response: Response, secret: WebhookSecret | undefined): void {
  if (!secret) throw new Error('an account whose key was let in is gone');
  response.setHeader('Cache-Control', 'no-store');
  const data = { secret: secret.secret, previous_valid_until: unixSecondsOrNull(secret.previousValidUntil) };
  sendJson(response, 200, { code: 200, data });
}
