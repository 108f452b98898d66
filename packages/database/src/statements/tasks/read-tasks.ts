import type { JsonObject } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { CALLBACK_COLUMN } from '../webhooks/callback-progress';
import { AWAITS_CALLER_COLUMN } from './awaits-caller';
import { TASK_COLUMNS, type TaskRow } from './task-row';

export const readTasks: Statement<[ids: readonly string[]], TaskRow> = {
  text: `select ${TASK_COLUMNS}, ${AWAITS_CALLER_COLUMN}, ${CALLBACK_COLUMN} from tasks t where t.id = any($1::text[])`,
  values: (ids) => [ids],
};

/** Whose they are; those that there are not are left out. */
export const findTaskOwners: Statement<[ids: readonly string[]], { id: string; accountId: string }> = {
  text: 'select t.id, t.account_id as "accountId" from tasks t where t.id = any($1::text[])',
  values: (ids) => [ids],
};

export interface TaskInput {
  input: JsonObject;
}

export const readTaskInputs: Statement<[ids: readonly string[]], TaskInput & { id: string }> = {
  text: 'select t.id, t.input from tasks t where t.id = any($1::text[])',
  values: (ids) => [ids],
};
