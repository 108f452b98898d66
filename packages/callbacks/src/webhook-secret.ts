import { randomBytes } from 'node:crypto';
import type { Callbacks } from './callbacks';

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
