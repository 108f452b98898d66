import { GatewayError, isTerminal, message } from '@mediagate/contracts';
import type { Call } from '../../http/exchange';
import { type EventStreamDeps, eventId, sendEvents } from './event-stream';
import { readOwnTask, type TaskReaderDeps } from './get-task';
import { takeWaitSlot, type WaitSlots } from './wait-for-end';

export interface TaskEventsDeps extends EventStreamDeps, Pick<TaskReaderDeps, 'readTask'> {
  waitSlots: WaitSlots;
}

/**
 * GET /v1/tasks/{id}/events: the task's record, now and whenever its status, progress or next action changes, until it has ended. An event's
 * number follows from the state alone, so that every process gives the same and a client may go on with any.
 */
export function createTaskEvents(deps: TaskEventsDeps): (call: Call) => Promise<void> {
  return async (call) => {
    const { request, response, caller } = call;
    const row = await readOwnTask(deps.readTask, String(request.params['id']), caller);
    if (!row) throw new GatewayError('not_found', message('task_not_found'));
    if (isTerminal(row.status) && request.headers['last-event-id'] === eventId(row)) {
      // This status alone makes clients that reconnect by themselves stop.
      response.statusCode = 204;
      response.end();
      return;
    }
    const leave = takeWaitSlot(deps.waitSlots, caller);
    await sendEvents(call, row, deps).finally(leave);
  };
}
