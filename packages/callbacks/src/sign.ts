import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { Callbacks } from './callbacks';

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
 * Node's own HMAC: the library's is JavaScript.
 *
 * @throws when there is no secret or one is empty.
 */
export function signHeaders(input: SignInput): Record<string, string> {
  if (input.secrets.length === 0) throw new Error('a callback cannot be signed without a secret');
  const timestamp = String(Math.floor(input.timestamp.getTime() / 1000));
  const signed = `${input.id}.${timestamp}.${input.body}`;
  const signatures = input.secrets.map((secret) => `v1,${hmacOf(signed, secret)}`);
  return { 'webhook-id': input.id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

const SECRET_PREFIX = 'whsec_';

function hmacOf(signed: string, secret: string): string {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const key = Buffer.from(encoded, 'base64');
  if (key.length === 0) throw new Error('a callback cannot be signed with an empty secret');
  // Given the bytes themselves, Node 24 takes three times as long.
  return createHmac('sha256', createSecretKey(key)).update(signed).digest('base64');
}

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

export interface WebhookSecret {
  /** Signs every callback of the account. */
  secret: string;
  /** The time until which the secret before signs beside it; undefined: none does. */
  previousValidUntil: Date | undefined;
}

/** Undefined when there is no such account. Times are judged by the database's clock. */
export async function readWebhookSecret(
  { database }: Pick<Callbacks, 'database'>,
  accountId: string,
): Promise<WebhookSecret | undefined> {
  const [row] = await database.readWebhookSecrets(accountId);
  return row && { secret: row.secret, previousValidUntil: row.previousValidUntil ?? undefined };
}

/** The secrets that sign the account's callbacks now, the current one first; none if there is no such account. Never log them. */
export async function readSigningSecrets(
  { database }: Pick<Callbacks, 'database'>,
  accountId: string,
): Promise<string[]> {
  const [row] = await database.readWebhookSecrets(accountId);
  return [row?.secret, row?.previous].filter((secret) => typeof secret === 'string');
}

export interface ReceivedCallback {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it came: another spelling of the same JSON has another signature. */
  body: string;
}

/** Checks a received callback by its Standard Webhooks signature; undefined: it is ours, and recent. */
export function verificationFault({ headers, body }: ReceivedCallback, secret: string): string | undefined {
  const single = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  try {
    new Webhook(secret).verify(body, Object.fromEntries(single));
    return undefined;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.message;
    // It is signed, and what is signed is no JSON.
    if (error instanceof SyntaxError) return 'the body is not JSON';
    throw error;
  }
}
