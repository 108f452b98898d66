import type { JsonObject, TaskId, TaskKind, TaskStatus } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { isSeen, type Visibility } from '../visibility';
import { IS_CONTINUED } from './task-row';

/** An earlier task, as a job that works on its result needs to know it. */
export interface SourceRow {
  id: TaskId;
  model: string;
  kind: TaskKind;
  operation: string;
  status: TaskStatus;
  input: JsonObject;
  result: JsonObject | null;
  /** Its key was a test key. */
  isTest: boolean;
  /** The channel of its last attempt. */
  channelId: string | null;
  protocol: string | null;
  externalId: string | null;
  /** It has not ended, and a task that works on it has been accepted and not failed. */
  isContinued: boolean;
}

export const findSourceTask: Statement<[who: Visibility, id: string], SourceRow> = {
  text: `
select t.id, t.model, t.kind, t.operation, t.status, t.input, t.result, t.is_test as "isTest",
  a.channel_id as "channelId", a.protocol, a.external_id as "externalId", ${IS_CONTINUED} as "isContinued"
from tasks t
left join lateral (
  select a.channel_id, a.protocol, a.external_id from task_attempts a where a.task_id = t.id order by a.number desc limit 1
) a on true
where t.id = $1 and t.account_id = $2 and ${isSeen('t.key_id', '$3')}`,
  values: ({ accountId, ownKeyId }, id) => [id, accountId, ownKeyId],
};
