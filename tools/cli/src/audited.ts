import type { JsonObject } from '@mediagate/contracts';
import type { AuditEntry, Database } from '@mediagate/database';
import { Refusal } from './refusal';
import type { Session } from './session';

export interface Action {
  /** `account.top_up` */
  name: string;
  /** The id of what is changed; for what has none yet, what the work returns has it. */
  subject: string;
  detail?: JsonObject;
}

/**
 * Does what changes something, with the intent in the audit log first: nothing an operator did is missing there. The
 * outcome follows as `done` or `refused`; one that stays `unknown` was cut off, and the subject's own rows say how far it came.
 */
export async function audited<Result extends { id: string }>(
  session: Session,
  database: Database,
  action: Action,
  work: () => Promise<Result>,
): Promise<Result> {
  const [entry] = await database.noteAction(entryOf(session, action, 'unknown'));
  const conclude = (subject: string, outcome: 'done' | 'refused') =>
    database.concludeAction({ id: entry?.id, subject, outcome });
  try {
    const result = await work();
    await conclude(result.id, 'done');
    return result;
  } catch (error) {
    if (error instanceof Refusal) await conclude(action.subject, 'refused');
    throw error;
  }
}

/** For a change that is done already and could not be announced: the table did not exist before. */
export async function noteDone(session: Session, database: Database, action: Action): Promise<void> {
  await database.noteAction(entryOf(session, action, 'done'));
}

function entryOf({ actor }: Session, { name, subject, detail }: Action, outcome: 'unknown' | 'done'): AuditEntry {
  return { actor, action: name, subject, detail: { ...detail, outcome } };
}
