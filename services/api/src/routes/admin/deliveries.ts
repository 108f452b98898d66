import {
  DELIVERY_STATES,
  type DeliveryPage,
  type DeliveryPageOptions,
  describeDelivery,
  type ListedDelivery,
} from '@mediagate/callbacks';
import { GatewayError, isTaskId, message, type TaskId } from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest } from '@mediagate/database';
import { makeCursor, readCursor } from '../../http/cursor';
import { sendJson } from '../../http/exchange';
import type { OperatorHandler } from '../../http/handler';
import { Query } from '../../http/query';
import { describeRedelivered, readRedelivery } from '../../http/redelivery-fields';
import type { RedeliverManyDeps } from '../webhooks/redeliver-many';
import { readChange, requireChanged, sendData } from './change';

export interface OperatorDeliveryDeps extends RedeliverManyDeps {
  listAllDeliveries(options: DeliveryPageOptions): Promise<DeliveryPage>;
  readDeliveryOf(taskId: TaskId): Promise<ListedDelivery | undefined>;
  readDelivery(id: string): Promise<ListedDelivery | undefined>;
  /** Enqueues what it makes due. */
  redeliverAny(id: string, request: ChangeRequest): Promise<ChangeOutcome>;
  cancelDelivery(id: string, request: ChangeRequest): Promise<ChangeOutcome>;
}

const LIST = 'deliveries';
const LIMIT = { min: 1, max: 100, fallback: 20 };
const ID = /^[\w-]{1,100}$/;
const ID_MAX_CHARACTERS = 100;

/** GET /admin/v1/deliveries: of all accounts, those of the newest tasks first. */
export function createListAllDeliveries(deps: OperatorDeliveryDeps): OperatorHandler {
  return async ({ request, response }) => {
    const query = new Query(request);
    const readId = (text: string) => (ID.test(text) ? text : undefined);
    const limit = query.integer('limit', LIMIT);
    const before = query.parsed('cursor', readPlace, 'must_be_cursor');
    const accountId = query.parsed('account_id', readId, 'must_be_word');
    const taskId = query.parsed('task_id', (text) => (isTaskId(text) ? text : undefined), 'must_be_task_id');
    const state = query.oneOf('state', DELIVERY_STATES);
    query.end();
    const wanted = { accountId, state, before, limit };
    const { deliveries, next } =
      taskId === undefined ? await deps.listAllDeliveries(wanted) : await pageOfTask(taskId, wanted, deps);
    sendJson(response, 200, {
      code: 200,
      data: deliveries.map(describeDelivery),
      next_cursor: next === undefined ? null : makeCursor(LIST, next),
      has_more: next !== undefined,
    });
  };
}

function readPlace(cursor: string): TaskId | undefined {
  const place = readCursor(LIST, cursor);
  return isTaskId(place) ? place : undefined;
}

/** A task has one callback at most. */
async function pageOfTask(
  taskId: TaskId,
  { accountId, state, before }: DeliveryPageOptions,
  { readDeliveryOf }: OperatorDeliveryDeps,
): Promise<DeliveryPage> {
  const found = await readDeliveryOf(taskId);
  const isWanted =
    found !== undefined &&
    before === undefined &&
    (accountId ?? found.accountId) === found.accountId &&
    (state ?? found.state) === found.state;
  return { deliveries: isWanted ? [found] : [], next: undefined };
}

/** POST /admin/v1/deliveries/{delivery_id}/redeliver */
export function createRedeliverAny(deps: OperatorDeliveryDeps): OperatorHandler {
  return changeDelivery(
    deps,
    deps.redeliverAny,
    () => new GatewayError('conflict', message('callback_pending'), { reason: 'callback_pending' }),
  );
}

/** POST /admin/v1/deliveries/redeliver */
export function createRedeliverAll({ redeliverMany }: RedeliverManyDeps): OperatorHandler {
  return async (call) => {
    const { fields, end } = await readChange(call);
    const accountId = fields.line('account_id', { maxCharacters: ID_MAX_CHARACTERS });
    const filter = { ...readRedelivery(fields), accountId };
    const row = await requireChanged(call.response, await redeliverMany(filter, end()), { unchanged: neverUnchanged });
    sendData(call.response, describeRedelivered(row), 202);
  };
}

function neverUnchanged(): never {
  throw new Error('there is always a count');
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
    sendData(call.response, describeDelivery(delivery));
  };
}

function notFound(): GatewayError {
  return new GatewayError('not_found', message('nothing_of_that_id'));
}
