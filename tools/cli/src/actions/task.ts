import { cancelUnpaid, createFinisher, readCharge, refundOf, refundTask, taskError } from '@mediagate/billing';
import { loadCatalogue } from '@mediagate/catalog';
import { type Nano, nanoToDecimal, nanoToNumber, type TaskId } from '@mediagate/contracts';
import type { RefundSnapshot } from '@mediagate/database';
import type { QueuedTask } from '@mediagate/queue';
import { type Cancellation, createTaskCanceller, passSlotsOn, readTasks, retryTask } from '@mediagate/tasks';
import { protocolsThatCancel } from '@mediagate/upstreams';
import { audited } from '../audited';
import { Refusal } from '../refusal';
import type { Answer, Session } from '../session';
import { readTaskHistory, toJson } from '../task-history';
import { taskText } from '../task-text';

export async function show(session: Session, id: TaskId): Promise<Answer> {
  const task = await readTaskHistory(await session.openDatabase(), id);
  if (!task) throw notFound(id);
  const json = toJson(task, session.creditsPerUnit);
  return { json, text: taskText(json) };
}

export async function retry(session: Session, id: TaskId): Promise<Answer> {
  const database = await session.openDatabase();
  const outcome = await retryTask(database, id, { actor: session.actor });
  switch (outcome.kind) {
    case 'not_found':
      throw notFound(id);
    case 'ended':
      throw hasEnded(id, outcome.status);
    case 'runs_at_once':
      throw new Refusal(`task ${id} is answered while its caller waits: nobody could take it up again`);
    case 'overdue':
      throw new Refusal(`the deadline of task ${id} has passed: the reconciler fails and refunds it`);
    case 'scheduled': {
      const { family, fence, leaseMs } = outcome;
      // A job of the same step may still be running somewhere, so this one has an id of its own.
      const distinct = `retry-${Date.now()}`;
      await session.enqueue((queues) => queues.enqueueTask({ family, taskId: id, fence, delayMs: leaseMs, distinct }));
      const leased = leaseMs > 0 ? `; a worker has leased it for up to ${Math.ceil(leaseMs / 1000)} s more` : '';
      return { json: { id, scheduled: true, lease_ms: Math.ceil(leaseMs) }, text: `task ${id} is due now${leased}` };
    }
    default:
      return outcome satisfies never;
  }
}

/** As its account would by the API: an upstream that has the job is asked to stop, by the task's worker. */
export async function cancel(session: Session, id: TaskId): Promise<Answer> {
  const database = await session.openDatabase();
  const readTask = async (taskId: TaskId) => (await readTasks(database, [taskId])).get(taskId);
  const catalogue = loadCatalogue();
  const enqueued: Promise<void>[] = [];
  const enqueueTask = enqueueTaskOf(session);
  const canceller = createTaskCanceller({
    database,
    readTask,
    async endUnpaid(taskId) {
      const { won, deliveryId, freed } = await cancelUnpaid(createFinisher(database), taskId);
      if (freed) enqueued.push(passSlotsOn([freed], { database, enqueueTask }));
      if (deliveryId !== undefined)
        enqueued.push(session.enqueue((queues) => queues.enqueueDelivery({ deliveryId, attemptsMade: 0 })));
      return won;
    },
    enqueueTask: (task) => void enqueued.push(enqueueTask(task)),
    onLookFailed: () => session.warn('the database did not answer; asking it again'),
    protocols: protocolsThatCancel(),
    isSynchronous: ({ model, operation }) => catalogue.find(model, operation)?.synchronous ?? false,
  });
  const { reservedNano, accountId } = await audited(
    session,
    database,
    { name: 'task.cancel', subject: id },
    async () => {
      const outcome = await canceller(id, { signal: new AbortController().signal, takeSlot: () => () => undefined });
      await Promise.all(enqueued);
      if (!outcome) throw notFound(id);
      if (outcome.kind === 'cancelled') return outcome.task;
      throw new Refusal(NOT_CANCELLED[outcome.kind].replace('{id}', id));
    },
  );
  return {
    json: { id, status: 'failed', released: nanoToNumber(reservedNano) },
    text: `task ${id} is cancelled; ${nanoToDecimal(reservedNano)} refunded to account ${accountId}`,
  };
}

function enqueueTaskOf(session: Session): (task: QueuedTask) => Promise<void> {
  return (task) => session.enqueue((queues) => queues.enqueueTask(task));
}

const NOT_CANCELLED: Readonly<Record<Exclude<Cancellation['kind'], 'cancelled'>, string>> = {
  ended: 'task {id} has ended, and a task that has ended never changes',
  started: 'an upstream works on task {id} and cannot be stopped; `task fail` refunds it all the same',
  requested: 'the worker of task {id} has not answered within 10 s: the cancellation may still take effect',
};

export async function fail(session: Session, id: TaskId, reason: string | undefined): Promise<Answer> {
  const database = await session.openDatabase();
  const detail = reason === undefined ? {} : { reason };
  const ended = await audited(session, database, { name: 'task.fail', subject: id, detail }, async () => {
    const error = taskError('cancelled');
    const finished = await createFinisher(database)({ taskId: id, fence: 'any', outcome: { kind: 'failed', error } });
    const task = (await readTasks(database, [id])).get(id);
    if (!task) throw notFound(id);
    if (!finished.won) throw hasEnded(id, task.status);
    return { ...task, deliveryId: finished.deliveryId, freed: finished.freed };
  });
  const { deliveryId, freed, reservedNano } = ended;
  if (freed) await passSlotsOn([freed], { database, enqueueTask: enqueueTaskOf(session) });
  if (deliveryId !== undefined)
    await session.enqueue((queues) => queues.enqueueDelivery({ deliveryId, attemptsMade: 0 }));
  return {
    json: { id, status: ended.status, refunded: nanoToNumber(reservedNano), delivery_id: deliveryId ?? null },
    text: `task ${id} has failed; ${nanoToDecimal(reservedNano)} refunded to account ${ended.accountId}`,
  };
}

export async function refund(
  session: Session,
  id: TaskId,
  options: { reason: string; amount?: Nano },
): Promise<Answer> {
  const database = await session.openDatabase();
  const { reason, amount: amountNano } = options;
  const outcome = await refundTask(
    database,
    { taskId: id, amountNano, note: reason },
    { actor: session.actor, reason },
  );
  if (outcome.kind === 'duplicate') throw new Refusal(`task ${id} was refunded before, and is refunded once`);
  if (outcome.kind !== 'changed') throw notCharged(id, await readCharge(database, id));
  const { accountId, chargedNano, refundedNano, balanceNano } = refundOf(outcome.row.after as RefundSnapshot);
  return {
    json: {
      id,
      account_id: accountId,
      charged: nanoToNumber(chargedNano),
      refunded: nanoToNumber(refundedNano),
      balance: nanoToNumber(balanceNano),
    },
    text: `${nanoToDecimal(refundedNano)} of task ${id} refunded; the balance of ${accountId} is ${nanoToDecimal(balanceNano)}`,
  };
}

function notCharged(id: TaskId, chargedNano: Nano | undefined): Refusal {
  if (chargedNano === undefined) return notFound(id);
  return new Refusal(`task ${id} was charged ${nanoToDecimal(chargedNano)}, and no more than that is refunded`);
}

function notFound(id: TaskId): Refusal {
  return new Refusal(`there is no task ${id}`);
}

function hasEnded(id: TaskId, status: string): Refusal {
  return new Refusal(`task ${id} has ended (${status}), and a task that has ended never changes`);
}
