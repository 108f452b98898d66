import { GatewayError, isTerminal, message, type TaskStatus } from '@mediagate/contracts';
import { sendVersionedJson } from '../../../http/answers/versioned';
import type { KeyHandler } from '../../../http/route';
import { describeTask, readOwnTask } from '../tasks/get-task';

/** Progress in percent of a music task: queued, ready to be listened to or at work, done. */
const PROGRESS: Readonly<Record<TaskStatus, number>> = {
  submitted: 10,
  pending: 10,
  processing: 50,
  completed: 100,
  failed: 100,
};

/** GET /v1/music/tasks/{id}: the record, `pending` until it has ended. Tasks of other kinds are not there. */
export const getMusicTask: KeyHandler = async (call, api) => {
  const { request, caller } = call;
  const row = await readOwnTask(api.tasks, String(request.params['id']), caller);
  if (row?.kind !== 'music') throw new GatewayError('not_found', message('task_not_found'));
  const record = await describeTask(row, request.query['language'], api);
  const status = isTerminal(row.status) ? row.status : 'pending';
  sendVersionedJson(call, { code: 200, data: { ...record, status, progress: PROGRESS[row.status] } });
};
