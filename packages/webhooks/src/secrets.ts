import { randomBytes } from 'node:crypto';
import type { Database } from '@mediagate/database';

/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

export interface WebhookSecret {
  /** Signs every callback of the account. */
  secret: string;
  /** Until when the one before signs beside it; undefined: there is none that does. */
  previousValidUntil: Date | undefined;
}

/** Undefined when there is no such account. */
export async function readWebhookSecret(database: Database, accountId: string): Promise<WebhookSecret | undefined> {
  const account = await database.account.findUnique({
    where: { id: accountId },
    select: { webhookSecret: true, webhookSecretRetiresAt: true },
  });
  if (account === null) return undefined;
  const { webhookSecret: secret, webhookSecretRetiresAt: retiresAt } = account;
  return { secret, previousValidUntil: isAhead(retiresAt) ? retiresAt : undefined };
}

/** What signs a callback of the account now, the current secret first. Empty when there is no such account. Never to be logged. */
export async function readSigningSecrets(database: Database, accountId: string): Promise<string[]> {
  const account = await database.account.findUnique({
    where: { id: accountId },
    select: { webhookSecret: true, previousWebhookSecret: true, webhookSecretRetiresAt: true },
  });
  if (account === null) return [];
  const { webhookSecret: secret, previousWebhookSecret: previous, webhookSecretRetiresAt: retiresAt } = account;
  return previous !== null && isAhead(retiresAt) ? [secret, previous] : [secret];
}

/**
 * Gives the account a new secret and keeps the old one signing beside it for `overlapMs`, so that a receiver can change
 * over without losing a callback. An older one still in overlap stops at once: two are valid at most.
 *
 * @returns the new secret, to be shown once; undefined when there is no such account.
 */
export async function rotateWebhookSecret(
  database: Database,
  accountId: string,
  options: { overlapMs: number },
): Promise<string | undefined> {
  const secret = newWebhookSecret();
  const rows = await database.rotateWebhookSecret({ accountId, secret, overlapMs: options.overlapMs });
  return rows.length === 1 ? secret : undefined;
}

function isAhead(time: Date | null): time is Date {
  return time !== null && time > new Date();
}
