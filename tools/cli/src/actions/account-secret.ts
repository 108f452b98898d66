import { readWebhookSecret, rotateWebhookSecret, type WebhookSecret } from '@mediagate/callbacks';
import { unixSecondsOrNull } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { audited } from '../audited';
import { Refusal } from '../refusal';
import type { Answer, Session } from '../session';

export interface SecretOptions {
  rotate?: true;
  overlapHours?: number;
}

const DEFAULT_OVERLAP_HOURS = 24;
const HOUR_MS = 3_600_000;

/** Whoever reads or changes a secret stands in the audit log; the secret does not. */
export async function secret(session: Session, accountId: string, options: SecretOptions): Promise<Answer> {
  const { rotate = false, overlapHours = DEFAULT_OVERLAP_HOURS } = options;
  if (!rotate && options.overlapHours !== undefined) throw new Refusal('--overlap-hours goes with --rotate');
  const database = await session.openDatabase();
  const found = rotate
    ? await rotateSecret(session, database, { accountId, overlapMs: overlapHours * HOUR_MS })
    : await readSecret(session, database, accountId);
  const { secret, previousValidUntil: until } = found;
  return {
    json: { id: accountId, secret, previous_valid_until: unixSecondsOrNull(until) },
    text: until ? `${secret}\nThe one before it signs beside it until ${until.toISOString()}.` : secret,
  };
}

function readSecret(session: Session, database: Database, accountId: string): Promise<WebhookSecret & { id: string }> {
  return audited(session, database, { name: 'account.read_secret', subject: accountId }, async () => {
    const found = await readWebhookSecret({ database }, accountId);
    if (found === undefined) throw unknownAccount(accountId);
    return { id: accountId, ...found };
  });
}

async function rotateSecret(
  { actor }: Session,
  database: Database,
  { accountId, overlapMs }: { accountId: string; overlapMs: number },
): Promise<WebhookSecret> {
  const outcome = await rotateWebhookSecret({ database }, accountId, { overlapMs, actor });
  if (outcome === undefined) throw unknownAccount(accountId);
  if (outcome.kind === 'rotated') return outcome;
  const until = outcome.until.toISOString();
  throw new Refusal(`two secrets are valid until ${until}; --overlap-hours 0 ends every earlier one at once`);
}

function unknownAccount(accountId: string): Refusal {
  return new Refusal(`there is no account ${accountId}`);
}
