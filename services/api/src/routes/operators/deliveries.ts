import {
  type DeliveryPageOptions,
  describeDelivery,
  findDelivery,
  type ListedDelivery,
  listDeliveries,
  redeliver,
  redeliverMany,
} from '@mediagate/callbacks';
import { DELIVERY_STATES, GatewayError, isTaskId, message, type TaskId } from '@mediagate/contracts';
import { requireChanged, sendData } from '../../http/answers/answer-change';
import type { OperatorCall } from '../../http/exchange';
import { readPageQuery, sendPage } from '../../http/fields/page';
import { describeRedelivered, readRedelivery } from '../../http/fields/redelivery-fields';
import type { OperatorHandler } from '../../http/route';
import type { Operators } from '../../operators';
import { unknownId } from '../../use-cases/invalid';
import { readChange } from './change';

const LIST = 'deliveries';
const ID = /^[\w-]{1,100}$/;
const ID_MAX_CHARACTERS = 100;

/** GET /admin/v1/deliveries: of all accounts, those of the newest tasks first. */
export const adminListDeliveries: OperatorHandler = async ({ request, response }, { callbacks }) => {
  const { query, limit, place: before } = readPageQuery(request, LIST, isTaskId);
  const readId = (text: string) => (ID.test(text) ? text : undefined);
  const accountId = query.parsed('account_id', readId, 'must_be_word');
  const taskId = query.parsed('task_id', (text) => (isTaskId(text) ? text : undefined), 'must_be_task_id');
  const state = query.oneOf('state', DELIVERY_STATES);
  query.end();
  const wanted = { accountId, state, before, limit };
  const page =
    taskId === undefined ? await listDeliveries(callbacks, wanted) : await pageOfTask(callbacks, taskId, wanted);
  sendPage(response, LIST, page, describeDelivery);
};

/** A task has one callback at most. */
async function pageOfTask(
  callbacks: Operators['callbacks'],
  taskId: TaskId,
  { accountId, state, before }: DeliveryPageOptions,
): ReturnType<typeof listDeliveries> {
  const found = await findDelivery(callbacks, { taskId });
  const isWanted =
    found !== undefined &&
    before === undefined &&
    (accountId ?? found.accountId) === found.accountId &&
    (state ?? found.state) === found.state;
  return { rows: isWanted ? [found] : [], next: undefined };
}

/** POST /admin/v1/deliveries/{delivery_id}/redeliver */
export const adminRedeliver: OperatorHandler = async (call, { callbacks }) => {
  const id = idOf(call);
  const { end } = await readChange(call);
  await requireChanged(call.response, await redeliver(callbacks, { id }, end()), {
    async unchanged() {
      await requireDelivery(callbacks, id);
      return new GatewayError('conflict', message('callback_pending'), { reason: 'callback_pending' });
    },
  });
  sendData(call.response, describeDelivery(await requireDelivery(callbacks, id)));
};

/** POST /admin/v1/deliveries/redeliver */
export const adminRedeliverMany: OperatorHandler = async (call, { callbacks }) => {
  const { fields, end } = await readChange(call);
  const accountId = fields.line('account_id', { maxCharacters: ID_MAX_CHARACTERS });
  const filter = { ...readRedelivery(fields), accountId };
  const outcome = await redeliverMany(callbacks, filter, end());
  const row = await requireChanged(call.response, outcome);
  sendData(call.response, describeRedelivered(row), 202);
};

/** POST /admin/v1/deliveries/{delivery_id}/cancel */
export const adminCancelDelivery: OperatorHandler = async (call, { callbacks }) => {
  const id = idOf(call);
  const { end } = await readChange(call);
  await requireChanged(call.response, await callbacks.database.cancelDelivery(id, end()), {
    async unchanged() {
      const { state } = await requireDelivery(callbacks, id);
      return new GatewayError('conflict', message('ended_already', { state }), { reason: 'wrong_state' });
    },
  });
  sendData(call.response, describeDelivery(await requireDelivery(callbacks, id)));
};

function idOf({ request }: OperatorCall): string {
  return String(request.params['delivery_id']);
}

/** @throws GatewayError `not_found` */
async function requireDelivery(callbacks: Operators['callbacks'], id: string): Promise<ListedDelivery> {
  const found = await findDelivery(callbacks, { id });
  if (!found) throw unknownId();
  return found;
}
