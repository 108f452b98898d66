import type { ListedDelivery } from '@mediagate/callbacks';
import { GatewayError, message, type TaskId, unixSeconds, unixSecondsOrNull } from '@mediagate/contracts';
import type { TaskRow } from '@mediagate/tasks';
import { redeliveryByCaller } from '../../http/caller-change';
import { type Call, sendJson } from '../../http/exchange';
import type { RedeliverCallback } from '../../use-cases/redeliver-callback';
import { readOwnTask, type TaskReaderDeps } from './get-task';

export interface DeliveriesDeps extends Pick<TaskReaderDeps, 'readTask'> {
  listDeliveries(taskId: TaskId): Promise<ListedDelivery[]>;
  redeliverCallback: RedeliverCallback;
}

/** GET /v1/tasks/{id}/deliveries */
export function createListDeliveries(deps: DeliveriesDeps): (call: Call) => Promise<void> {
  return async (call) => {
    const { id } = await requireTask(call, deps);
    sendJson(call.response, 200, { code: 200, data: (await deps.listDeliveries(id)).map(describeDelivery) });
  };
}

/** POST /v1/tasks/{id}/redeliver */
export function createRedeliver(deps: DeliveriesDeps): (call: Call) => Promise<void> {
  return async (call) => {
    const request = redeliveryByCaller(call);
    const { delivery, replayed } = await deps.redeliverCallback(await requireTask(call, deps), request);
    if (replayed) call.response.setHeader('Idempotency-Replayed', 'true');
    sendJson(call.response, 202, { code: 202, data: describeDelivery(delivery) });
  };
}

async function requireTask({ request, caller }: Call, deps: DeliveriesDeps): Promise<TaskRow> {
  const row = await readOwnTask(deps.readTask, String(request.params['id']), caller);
  if (!row) throw new GatewayError('not_found', message('task_not_found'));
  return row;
}

function describeDelivery(delivery: ListedDelivery): object {
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
