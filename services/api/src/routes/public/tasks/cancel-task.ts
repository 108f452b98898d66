import { GatewayError, type Message, message, nanoToNumber } from '@mediagate/contracts';
import { type Cancellation, cancelTask as cancel } from '@mediagate/tasks';
import { untilCallerLeaves } from '../../../http/caller-watch';
import { sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/route';
import { describeTask, readOwnTask } from './get-task';

const REFUSALS: Readonly<Record<Exclude<Cancellation['kind'], 'cancelled'>, Message>> = {
  ended: message('task_has_ended'),
  started: message('task_has_started'),
  requested: message('task_may_be_cancelled'),
};

/** POST /v1/tasks/{id}/cancel: the record of the failed task with what was released, also when it was cancelled before. */
export const cancelTask: KeyHandler = async (call, api) => {
  const { request, response, caller } = call;
  const row = await readOwnTask(api.tasks, String(request.params['id']), caller);
  const takeSlot = () => api.waitSlots.tryTake({ owner: caller })?.release;
  const outcome = row && (await cancel(api.tasks, row.id, { signal: untilCallerLeaves(call).signal, takeSlot }));
  if (!outcome) throw new GatewayError('not_found', message('task_not_found'));
  if (outcome.kind !== 'cancelled') {
    throw new GatewayError('conflict', REFUSALS[outcome.kind], { reason: 'not_cancellable' });
  }
  const record = await describeTask(outcome.task, request.query['language'], api);
  sendJson(response, 200, { code: 200, data: { ...record, released: nanoToNumber(outcome.task.reservedNano) } });
};
