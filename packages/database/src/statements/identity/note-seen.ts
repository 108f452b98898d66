import type { JsonObject } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { type ChangedRow, type ChangeRequest, change, noteOf, withNote } from './note';

/** Something that an operator has looked at or tried, without changing anything. */
export interface SeenSubject {
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
