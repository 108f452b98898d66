import {
  findDelivery,
  isRedeliveredOften,
  type ListedDelivery,
  REDELIVERIES_A_DAY,
  redeliver as sendAgain,
} from '@mediagate/callbacks';
import { GatewayError, message, unixSeconds, unixSecondsOrNull } from '@mediagate/contracts';
import type { TaskRow, Tasks } from '@mediagate/tasks';
import { redeliveryByCaller } from '../../../http/access/caller-change';
import { requireChanged } from '../../../http/answers/answer-change';
import { type Call, sendJson } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/route';
import { secondsToMidnight } from '../../../use-cases/save-upload';
import { readOwnTask } from './get-task';

/** GET /v1/tasks/{id}/deliveries. A task has one callback at most. */
export const listDeliveries: KeyHandler = async (call, { callbacks, tasks }) => {
  const { id: taskId } = await requireTask(call, tasks);
  const found = await findDelivery(callbacks, { taskId });
  sendJson(call.response, 200, { code: 200, data: found === undefined ? [] : [describeOwnDelivery(found)] });
};

/** POST /v1/tasks/{id}/redeliver */
export const redeliver: KeyHandler = async (call, { callbacks, tasks }) => {
  const request = redeliveryByCaller(call);
  const { id: taskId, webhook } = await requireTask(call, tasks);
  if (webhook === null) throw new GatewayError('not_found', message('callback_none'));
  const delivery = await findDelivery(callbacks, { taskId });
  // Its row is written when the task ends.
  if (!delivery) throw pending();
  const outcome = await sendAgain(callbacks, { id: delivery.id, isOwn: true }, request);
  await requireChanged(call.response, outcome, {
    unchanged: async () => ((await isRedeliveredOften(callbacks, delivery.id)) ? tooOften() : pending()),
  });
  const scheduled = (await findDelivery(callbacks, { taskId })) ?? delivery;
  sendJson(call.response, 202, { code: 202, data: describeOwnDelivery(scheduled) });
};

function pending(): GatewayError {
  return new GatewayError('conflict', message('callback_pending'));
}

function tooOften(): GatewayError {
  return new GatewayError('rate_limited', message('callbacks_a_day', { limit: REDELIVERIES_A_DAY }), {
    retryAfterSeconds: secondsToMidnight(),
  });
}

async function requireTask({ request, caller }: Call, tasks: Pick<Tasks, 'database'>): Promise<TaskRow> {
  const row = await readOwnTask(tasks, String(request.params['id']), caller);
  if (!row) throw new GatewayError('not_found', message('task_not_found'));
  return row;
}

function describeOwnDelivery(delivery: ListedDelivery): object {
  return {
    id: delivery.id,
    task_id: delivery.taskId,
    url: delivery.url,
    state: delivery.state,
    reason: delivery.reason,
    created: unixSeconds(delivery.createdAt),
    next_attempt_at: unixSecondsOrNull(delivery.nextAttemptAt),
    attempts: delivery.attempts.map(({ number, startedAt, endedAt, httpStatus, error }) => ({
      number,
      started_at: unixSeconds(startedAt),
      ended_at: unixSecondsOrNull(endedAt),
      status: httpStatus,
      error,
    })),
  };
}
