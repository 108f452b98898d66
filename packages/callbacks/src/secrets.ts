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

/** Undefined when there is no such account. Times are judged by the database's clock. */
export async function readWebhookSecret(database: Database, accountId: string): Promise<WebhookSecret | undefined> {
  const [row] = await database.readWebhookSecrets(accountId);
  return row && { secret: row.secret, previousValidUntil: row.previousValidUntil ?? undefined };
}

/** What signs a callback of the account now, the current secret first. Empty when there is no such account. Never to be logged. */
export async function readSigningSecrets(database: Database, accountId: string): Promise<string[]> {
  const [row] = await database.readWebhookSecrets(accountId);
  return [row?.secret, row?.previous].filter((secret) => typeof secret === 'string');
}

export interface SecretChange {
  /** How long the secret before signs beside the new one; 0: every earlier secret ends at once. */
  overlapMs: number;
  /** For the audit log. */
  actor: string;
}

export type RotationOutcome =
  | ({ kind: 'rotated' } & WebhookSecret)
  /** Two secrets are valid until then: a third would end the first of them, which receivers may still hold. */
  | { kind: 'overlapping'; until: Date };

/**
 * Gives the account a new secret and keeps the old one signing beside it, so that a receiver can change over without losing a
 * callback.
 *
 * @returns undefined when there is no such account.
 */
export async function rotateWebhookSecret(
  database: Database,
  accountId: string,
  change: SecretChange,
): Promise<RotationOutcome | undefined> {
  const secret = newWebhookSecret();
  const [row] = await database.rotateWebhookSecret({ accountId, secret, ...change });
  if (!row) return undefined;
  const until = row.previousValidUntil ?? undefined;
  if (row.rotated) return { kind: 'rotated', secret, previousValidUntil: until };
  if (until === undefined) throw new Error('a rotation was refused although nothing overlaps');
  return { kind: 'overlapping', until };
}
