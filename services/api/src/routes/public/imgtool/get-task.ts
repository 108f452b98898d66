import { GatewayError, message } from '@mediagate/contracts';
import { readTaskInputs } from '@mediagate/tasks';
import { sendVersionedJson } from '../../../http/answers/versioned';
import type { KeyHandler } from '../../../http/route';
import { describeTask, readOwnTask } from '../tasks/get-task';
import { imgtoolExtras, UNKNOWN_INPUT } from './imgtool-task';

/** GET /v1/imgtool/{id}: the record with what only these tasks have. Tasks of other kinds are not there. */
export const getImgtoolTask: KeyHandler = async (call, api) => {
  const { request, caller } = call;
  const row = await readOwnTask(api.tasks, String(request.params['id']), caller);
  if (row?.kind !== 'imgtool') throw new GatewayError('not_found', message('task_not_found'));
  const input = (await readTaskInputs(api.database, [row.id])).get(row.id) ?? UNKNOWN_INPUT;
  const record = await describeTask(row, request.query['language'], api);
  // `fail_reason` says the same in the same words.
  const data = { ...record, ...imgtoolExtras({ ...row, error: record.error ?? null }, input) };
  sendVersionedJson(call, { code: 200, data });
};
