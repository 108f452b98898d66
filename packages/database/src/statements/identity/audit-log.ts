import type { JsonObject } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { type ChangedRow, type ChangeRequest, change, noteOf, withNote } from './note';

export interface AuditEntry {
  actor: string;
  /** For example `account.top_up`. */
  action: string;
  subject: string;
  detail: JsonObject;
}

export const noteAction: Statement<[entry: AuditEntry], { id: bigint }> = {
  text: `insert into audit_log (actor, action, subject, detail) values ($1, $2, $3, $4::jsonb) returning id`,
  values: ({ actor, action, subject, detail }) => [actor, action, subject, JSON.stringify(detail)],
};

export interface ActionEnd {
  id: bigint | undefined;
  subject: string;
  outcome: 'done' | 'refused';
}

export const concludeAction: Statement<[end: ActionEnd], object> = {
  text: `update audit_log set subject = $2, detail = detail || jsonb_build_object('outcome', $3::text) where id = $1`,
  values: ({ id, subject, outcome }) => [id, subject, outcome],
};

/** Something that an operator has looked at or tried, without changing anything. */
interface SeenSubject {
  /** For example `channel.probe`. */
  action: string;
  subject: string;
  /** The outcome. */
  seen: JsonObject;
}

/** Only its entry in the audit log, which is the memory of the idempotency key, too. */
export const noteSeen: Statement<[seen: SeenSubject, request: ChangeRequest], ChangedRow> = {
  text: withNote(`changed as (select $2::text as subject, null::jsonb as before, $3::text::jsonb as after)`),
  values: ({ action, subject, seen }, request) => [noteOf(action, request), subject, JSON.stringify(seen)],
};

/** Notes that an operator is shown the result of a task. No row: there is no such task. */
export const noteShownResult = change<[taskId: string]>({
  text: withNote(`
changed as (
  select t.id as subject, null::jsonb as before, jsonb_build_object('account_id', t.account_id) as after
  from tasks t where t.id = $2
)`),
  values: (taskId, request) => [noteOf('task.show_result', request), taskId],
});
