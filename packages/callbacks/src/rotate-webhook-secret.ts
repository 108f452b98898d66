import { countOfDay } from '@mediagate/database';
import type { Callbacks } from './callbacks';
import { newWebhookSecret, type WebhookSecret } from './sign';

export interface SecretChange {
  /** How long the secret before signs beside the new one; 0: every earlier secret ends at once. */
  overlapMs: number;
  /** The actor for the audit log. */
  actor: string;
  /** Its account asks: the rotation is one of the changes that it may make today. Default: an operator asks. */
  isOwn?: boolean;
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
 * @throws DayLimitError where the account has made too many changes today; one that is refused counts, too.
 */
export async function rotateWebhookSecret(
  { database }: Pick<Callbacks, 'database'>,
  accountId: string,
  { overlapMs, actor, isOwn = false }: SecretChange,
): Promise<RotationOutcome | undefined> {
  if (isOwn) await countOfDay(database, 'changes', accountId);
  const secret = newWebhookSecret();
  const [row] = await database.rotateWebhookSecret({ accountId, secret, overlapMs, actor });
  if (!row) return undefined;
  const until = row.previousValidUntil ?? undefined;
  if (row.rotated) return { kind: 'rotated', secret, previousValidUntil: until };
  if (until === undefined) throw new Error('a rotation was refused although nothing overlaps');
  return { kind: 'overlapping', until };
}
