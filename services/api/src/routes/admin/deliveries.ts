import { exactSeconds, exactSecondsOrNull, GatewayError, type JsonObject, message } from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest } from '@mediagate/database';
import { DELIVERY_STATES, type ListDeliveriesOptions, type ListedDelivery } from '@mediagate/webhooks';
import { makeCursor, readCursor } from '../../http/cursor';
import { sendJson } from '../../http/exchange';
import type { OperatorHandler } from '../../http/handler';
import { Query } from '../../http/query';
import { readChange, requireChanged, sendData } from './change';

export interface OperatorDeliveryDeps {
  listAllDeliveries(options: ListDeliveriesOptions): Promise<ListedDelivery[]>;
  readDelivery(id: string): Promise<ListedDelivery | undefined>;
  /** Enqueues what it makes due. */
  redeliverAny(id: string, request: ChangeRequest): Promise<ChangeOutcome>;
  cancelDelivery(id: string, request: ChangeRequest): Promise<ChangeOutcome>;
}

const LIST = 'deliveries';
const LIMIT = { min: 1, max: 100, fallback: 20 };
const ID = /^[\w-]{1,100}$/;

/** GET /admin/v1/deliveries: of all accounts, the newest first. */
export function createListAllDeliveries({ listAllDeliveries }: OperatorDeliveryDeps): OperatorHandler {
  return async ({ request, response }) => {
    const query = new Query(request);
    const readId = (text: string) => (ID.test(text) ? text : undefined);
    const limit = query.integer('limit', LIMIT);
    const after = query.parsed('cursor', (cursor) => readId(readCursor(LIST, cursor) ?? ''));
    const accountId = query.parsed('account_id', readId);
    const taskId = query.parsed('task_id', readId);
    const state = query.oneOf('state', DELIVERY_STATES);
    query.end();
    const wanted = {
      ...(after === undefined ? {} : { after }),
      ...(accountId === undefined ? {} : { accountId }),
      ...(taskId === undefined ? {} : { taskId }),
      ...(state === undefined ? {} : { state }),
    };
    // One more tells whether there are more.
    const found = await listAllDeliveries({ ...wanted, limit: limit + 1 });
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    sendJson(response, 200, {
      code: 200,
      data: shown.map(describe),
      next_cursor: last ? makeCursor(LIST, last.id) : null,
      has_more: last !== undefined,
    });
  };
}

/** POST /admin/v1/deliveries/{delivery_id}/redeliver */
export function createRedeliverAny(deps: OperatorDeliveryDeps): OperatorHandler {
  return changeDelivery(
    deps,
    deps.redeliverAny,
    () => new GatewayError('conflict', message('callback_pending'), { reason: 'callback_pending' }),
  );
}

/** POST /admin/v1/deliveries/{delivery_id}/cancel */
export function createCancelDelivery(deps: OperatorDeliveryDeps): OperatorHandler {
  return changeDelivery(
    deps,
    deps.cancelDelivery,
    ({ state }) => new GatewayError('conflict', message('ended_already', { state }), { reason: 'wrong_state' }),
  );
}

function changeDelivery(
  { readDelivery }: OperatorDeliveryDeps,
  change: (id: string, request: ChangeRequest) => Promise<ChangeOutcome>,
  conflict: (delivery: ListedDelivery) => GatewayError,
): OperatorHandler {
  return async (call) => {
    const id = String(call.request.params['delivery_id']);
    const { end } = await readChange(call);
    const outcome = await change(id, end());
    await requireChanged(call.response, outcome, {
      unchanged: async () => {
        const found = await readDelivery(id);
        return found ? conflict(found) : notFound();
      },
    });
    const delivery = await readDelivery(id);
    if (!delivery) throw notFound();
    sendData(call.response, describe(delivery));
  };
}

function notFound(): GatewayError {
  return new GatewayError('not_found', message('nothing_of_that_id'));
}

function describe(delivery: ListedDelivery): JsonObject {
  const { id, taskId, accountId, url, state, reason } = delivery;
  return {
    id,
    task_id: taskId,
    account_id: accountId,
    url,
    state,
    reason,
    created: exactSeconds(delivery.createdAt),
    next_attempt_at: exactSecondsOrNull(delivery.nextAttemptAt),
    ended_at: exactSecondsOrNull(delivery.endedAt),
    attempts: delivery.attempts.map(({ number, startedAt, endedAt, httpStatus, error }) => ({
      number,
      started_at: exactSeconds(startedAt),
      ended_at: exactSecondsOrNull(endedAt),
      status: httpStatus,
      error,
    })),
  };
}
