import { Webhook } from 'standardwebhooks';

export interface SignInput {
  /** Stable over every attempt of a callback, so that a receiver can tell a repetition: the task's id. */
  id: string;
  /** When this attempt starts, by the database's clock: receivers refuse what is five minutes off. */
  timestamp: Date;
  body: string;
  /** `whsec_…`, the current one first; two while a rotation lasts. */
  secrets: readonly string[];
}

/** Every header of a callback that its sender chooses. */
export function callbackHeaders(input: SignInput): Record<string, string> {
  return { 'content-type': 'application/json', 'user-agent': 'mediagate', ...signHeaders(input) };
}

/**
 * The three headers of Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`, one `v1,` signature a secret, space
 * separated, so a receiver that knows either secret can verify.
 *
 * @throws when there is no secret or one is not base64.
 */
export function signHeaders(input: SignInput): Record<string, string> {
  if (input.secrets.length === 0) throw new Error('a callback cannot be signed without a secret');
  const signatures = input.secrets.map((secret) => new Webhook(secret).sign(input.id, input.timestamp, input.body));
  return {
    'webhook-id': input.id,
    'webhook-timestamp': String(Math.floor(input.timestamp.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}
