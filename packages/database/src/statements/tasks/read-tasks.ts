import type { JsonObject } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { CALLBACK_COLUMN } from '../callbacks/callback-progress';
import { keyMaker, type Owned } from '../visibility';
import { AWAITS_CALLER_COLUMN } from './awaits-caller';
import { TASK_COLUMNS, type TaskRow } from './task-row';

/** A task with what is shown of it to callers, and whose it is. */
export type ReadRow = TaskRow & Pick<Owned, 'keyMakerId'>;

export const readTasks: Statement<[ids: readonly string[]], ReadRow> = {
  text: `
select ${TASK_COLUMNS}, ${AWAITS_CALLER_COLUMN}, ${CALLBACK_COLUMN}, ${keyMaker('t.key_id')} from tasks t
where t.id = any($1::text[])`,
  values: (ids) => [ids],
};

export interface TaskInput {
  input: JsonObject;
}

export const readTaskInputs: Statement<[ids: readonly string[]], TaskInput & { id: string }> = {
  text: 'select t.id, t.input from tasks t where t.id = any($1::text[])',
  values: (ids) => [ids],
};
