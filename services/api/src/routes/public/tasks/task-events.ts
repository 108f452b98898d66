import { GatewayError, isTerminal, message } from '@mediagate/contracts';
import type { KeyHandler } from '../../../http/route';
import { eventId, sendEvents } from './event-stream';
import { readOwnTask } from './get-task';
import { takeWaitSlot } from './wait-for-end';

/**
 * GET /v1/tasks/{id}/events: the task's record, now and whenever its status, progress or next action changes, until it has ended. An event's
 * number follows from the state alone, so that every process gives the same and a client may go on with any.
 */
export const followTask: KeyHandler = async (call, api) => {
  const { request, response, caller } = call;
  const row = await readOwnTask(api.tasks, String(request.params['id']), caller);
  if (!row) throw new GatewayError('not_found', message('task_not_found'));
  if (isTerminal(row.status) && request.headers['last-event-id'] === eventId(row)) {
    // This status alone makes clients that reconnect by themselves stop.
    response.statusCode = 204;
    response.end();
    return;
  }
  const leave = takeWaitSlot(api.waitSlots, caller);
  await sendEvents(call, row, api).finally(leave);
};
