import type { JsonObject } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
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
  const detail = JSON.stringify({ ...action.detail, outcome: 'unknown' });
  const [entry] = await database.query<{ id: bigint }>(INTEND, [session.actor, action.name, action.subject, detail]);
  const conclude = (subject: string, outcome: 'done' | 'refused') =>
    database.query(CONCLUDE, [entry?.id, subject, outcome]);
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
  const detail = JSON.stringify({ ...action.detail, outcome: 'done' });
  await database.query(INTEND, [session.actor, action.name, action.subject, detail]);
}

const INTEND = {
  name: 'cli.intend',
  text: `insert into audit_log (actor, action, subject, detail) values ($1, $2, $3, $4::jsonb) returning id`,
};

const CONCLUDE = {
  name: 'cli.conclude',
  text: `update audit_log set subject = $2, detail = detail || jsonb_build_object('outcome', $3::text) where id = $1`,
};
