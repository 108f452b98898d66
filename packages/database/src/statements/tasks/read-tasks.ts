import type { JsonObject } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { CALLBACK_COLUMN } from '../webhooks/callback-progress';
import { AWAITS_CALLER_COLUMN } from './awaits-caller';
import { IS_CONTINUED } from './find-source';
import { TASK_COLUMNS, type TaskRow } from './task-row';

export const readTasks: Statement<[ids: readonly string[]], TaskRow> = {
  text: `select ${TASK_COLUMNS}, ${AWAITS_CALLER_COLUMN}, ${CALLBACK_COLUMN} from tasks t where t.id = any($1::text[])`,
  values: (ids) => [ids],
};

export interface TaskInput {
  input: JsonObject;
  /** An upstream has taken its job, and it has not ended. */
  isAccepted: boolean;
  /** It has not ended, and a task that works on it has been accepted and not failed. */
  isContinued: boolean;
}

export const readTaskInputs: Statement<[ids: readonly string[]], TaskInput & { id: string }> = {
  text: `
select t.id, t.input, t.attempt_state is not distinct from 'accepted' as "isAccepted", ${IS_CONTINUED} as "isContinued"
from tasks t where t.id = any($1::text[])`,
  values: (ids) => [ids],
};
