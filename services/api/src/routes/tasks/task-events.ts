import { GatewayError, isTerminal, message, TASK_STATUSES } from '@mediagate/contracts';
import type { TaskRow } from '@mediagate/tasks';
import type { Response } from 'express';
import type { Call } from '../../http/exchange';
import { untilCallerLeaves } from '../../http/until-caller-leaves';
import { TASK_EVENTS } from '../../request-limits';
import type { TaskWatch } from '../../use-cases/task-watch';
import { describeTask, readOwnTask, type TaskReaderDeps } from './get-task';
import { takeWaitSlot, type WaitSlots, withCallback } from './wait-for-end';

export interface TaskEventsDeps extends TaskReaderDeps {
  taskWatch: Pick<TaskWatch, 'statesOf'>;
  waitSlots: WaitSlots;
}

/**
 * GET /v1/tasks/{id}/events: the task's record, now and whenever its status, progress or next action changes, until it has ended. An event's
 * number follows from the state alone, so that every process gives the same and a client may go on with any.
 */
export function createTaskEvents(deps: TaskEventsDeps): (call: Call) => Promise<void> {
  return async (call) => {
    const { request, response, caller } = call;
    const row = await readOwnTask(deps.readTask, String(request.params['id']), caller.accountId);
    if (!row) throw new GatewayError('not_found', message('task_not_found'));
    const seen = request.headers['last-event-id'];
    if (isTerminal(row.status) && seen === eventId(row)) {
      // This status alone makes clients that reconnect by themselves stop.
      response.statusCode = 204;
      response.end();
      return;
    }
    const leave = takeWaitSlot(deps.waitSlots, caller);
    try {
      await sendStates(call, row, deps);
    } finally {
      leave();
    }
  };
}

async function sendStates({ request, response, scope }: Call, row: TaskRow, deps: TaskEventsDeps): Promise<void> {
  const { language } = request.query;
  const left = untilCallerLeaves({ response, scope });
  scope.after(TASK_EVENTS.totalMs, () => left.abort());
  for await (const state of deps.taskWatch.statesOf(row, left.signal)) {
    if (!response.headersSent) begin(response, () => comment({ response, scope }));
    if (state === row && request.headers['last-event-id'] === eventId(row)) continue;
    const record = await describeTask(await withCallback(state, deps.readTask), language, deps);
    send(response, `event: task\nid: ${eventId(state)}\ndata: ${JSON.stringify(record)}\n\n`);
  }
  response.end();
}

function begin(response: Response, keepOpen: () => void): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', 'text/event-stream');
  response.setHeader('Cache-Control', 'no-store');
  // Proxies that gather answers before they pass them on know this header.
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
  keepOpen();
}

/** What is between states keeps proxies from closing the connection. */
function comment(call: Pick<Call, 'response' | 'scope'>): void {
  call.scope.after(TASK_EVENTS.commentMs, () => {
    send(call.response, ':\n\n');
    comment(call);
  });
}

function send(response: Response, text: string): void {
  response.write(text);
  // Nobody reads it.
  if (response.writableLength > TASK_EVENTS.unreadMaxBytes) response.destroy();
}

const STATUS_STEP = 1000;
const AWAITS_CALLER_STEP = 500;

function eventId({ status, progress, awaitsCaller }: TaskRow): string {
  const rank = (TASK_STATUSES.indexOf(status) + 1) * STATUS_STEP;
  return String(rank + (awaitsCaller ? AWAITS_CALLER_STEP : 0) + progress);
}
