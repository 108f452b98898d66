import { readCharge, refundOf } from '@mediagate/billing';
import { isTerminal, type Nano, nanoToDecimal, nanoToNumber, type TaskId } from '@mediagate/contracts';
import type { Database, RefundSnapshot } from '@mediagate/database';
import { mediaIdIn } from '@mediagate/media';
import {
  type Cancellation,
  cancelTask,
  describeFoundTask,
  describeTaskHistory,
  explainRetry,
  failTask,
  readTaskHistory,
  retryTask,
  type SupportCase,
  searchTasks,
  type Tasks,
} from '@mediagate/tasks';
import { audited } from '../audited';
import { openTasks } from '../open-tasks';
import { Refusal } from '../refusal';
import { changeBy, requireChanged } from '../require-changed';
import type { Answer, Session } from '../session';
import { taskText } from '../task-text';
import { textTable } from '../text-table';
import { timeText } from '../time-text';

export async function show(session: Session, id: TaskId): Promise<Answer> {
  const task = await readTaskHistory(await session.openDatabase(), id);
  if (!task) throw new Refusal(unknown(id));
  const json = describeTaskHistory(task, { creditsPerUnit: session.creditsPerUnit });
  return { json, text: taskText(json) };
}

/** A task's result belongs to its account: the audit log notes who looks at it, before it is shown. */
export async function showResult(session: Session, id: TaskId, reason: string | undefined): Promise<Answer> {
  const database = await session.openDatabase();
  const outcome = await database.noteShownResult(id, changeBy(session, reason));
  await requireChanged(outcome, () => unknown(id));
  const result = (await readTaskHistory(database, id))?.result ?? null;
  const text = result === null ? `nothing of task ${id} is kept` : JSON.stringify(result, null, 2);
  return { json: { id, result }, text };
}

export interface FindOptions extends Omit<SupportCase, 'metadata' | 'mediaId'> {
  metadata?: readonly (readonly [name: string, value: string])[];
  url?: string;
}

/** Finds tasks of any account by what a support case has. */
export async function find(session: Session, { metadata, url, ...wanted }: FindOptions): Promise<Answer> {
  const mediaId = url === undefined ? undefined : mediaIdIn(url);
  if (url !== undefined && mediaId === undefined) throw new Refusal('that is not the URL of a file of this service');
  if (metadata && !wanted.accountId) throw new Refusal('--metadata goes with --account');
  const database = await session.openDatabase();
  const labels = metadata ? { metadata: Object.fromEntries(metadata) } : {};
  const { rows, next } = await searchTasks(database, { ...wanted, ...labels, mediaId });
  if (next !== undefined) session.warn(`there may be older ones: --before ${next} goes on`);
  const tasks = rows.map((row) => describeFoundTask(row, { creditsPerUnit: session.creditsPerUnit }));
  return { json: { tasks, next: next ?? null }, text: foundText(tasks) };
}

function foundText(tasks: readonly ReturnType<typeof describeFoundTask>[]): string {
  return textTable(
    ['TASK', 'CREATED', 'STATUS', 'MODEL', 'ACCOUNT', 'REQUEST', 'COST', 'REASON'],
    tasks.map(({ id, created, status, model, account_id, request_id, cost, error }) => [
      id,
      timeText(created),
      status,
      model,
      account_id,
      request_id ?? '',
      String(cost),
      String(error?.['reason'] ?? ''),
    ]),
  );
}

export async function retry(session: Session, id: TaskId, reason: string | undefined): Promise<Answer> {
  const tasks = await openTasks(session);
  const outcome = await retryTask(tasks, id, changeBy(session, reason));
  const { after } = await requireChanged(outcome, () => whyNotRetried(tasks.database, id));
  const leaseMs = Number(after['lease_ms']);
  const leased = leaseMs > 0 ? `; a worker has leased it for up to ${Math.ceil(leaseMs / 1000)} s more` : '';
  return { json: { id, scheduled: true, lease_ms: Math.ceil(leaseMs) }, text: `task ${id} is due now${leased}` };
}

async function whyNotRetried(database: Database, id: TaskId): Promise<string> {
  const why = await explainRetry(database, id);
  switch (why.kind) {
    case 'not_found':
      return unknown(id);
    case 'ended':
      return hasEnded(id, why.status);
    case 'runs_at_once':
      return `task ${id} is answered while its caller waits: nobody could take it up again`;
    case 'overdue':
      return `the deadline of task ${id} has passed: the reconciler fails and refunds it`;
    default:
      return why satisfies never;
  }
}

/** As its account would by the API: an upstream that has the job is asked to stop, by the task's worker. */
export async function cancel(session: Session, id: TaskId): Promise<Answer> {
  const tasks = await openTasks(session);
  const found = await tasks.read(id);
  if (found && isTerminal(found.status)) throw new Refusal(hasEnded(id, found.status));
  const { reservedNano, accountId } = await audited(
    session,
    tasks.database,
    { name: 'task.cancel', subject: id },
    async () => {
      const outcome = await cancelTask(tasks, id, {
        signal: new AbortController().signal,
        takeSlot: () => () => undefined,
      });
      if (!outcome) throw new Refusal(unknown(id));
      if (outcome.kind === 'cancelled') return outcome.task;
      throw new Refusal(NOT_CANCELLED[outcome.kind].replace('{id}', id));
    },
  );
  return {
    json: { id, status: 'failed', released: nanoToNumber(reservedNano) },
    text: `task ${id} is cancelled; ${nanoToDecimal(reservedNano)} refunded to account ${accountId}`,
  };
}

const NOT_CANCELLED: Readonly<Record<Exclude<Cancellation['kind'], 'cancelled'>, string>> = {
  ended: 'task {id} has ended, and a task that has ended never changes',
  started: 'an upstream works on task {id} and cannot be stopped; `task fail` refunds it all the same',
  requested: 'the worker of task {id} has not answered within 10 s: the cancellation may still take effect',
};

export async function fail(session: Session, id: TaskId, reason: string | undefined): Promise<Answer> {
  const tasks = await openTasks(session);
  const outcome = await failTask(tasks, id, changeBy(session, reason));
  const { after } = await requireChanged(outcome, async () => {
    const task = await tasks.read(id);
    return task ? hasEnded(id, task.status) : unknown(id);
  });
  const { accountId, status, reservedNano, costNano } = await readEnded(tasks, id);
  const refundedNano = reservedNano - (costNano ?? 0n);
  return {
    json: { id, status, refunded: nanoToNumber(refundedNano), delivery_id: after['delivery_id'] ?? null },
    text: `task ${id} has ${status}; ${nanoToDecimal(refundedNano)} refunded to account ${accountId}`,
  };
}

export async function refund(
  session: Session,
  id: TaskId,
  options: { reason: string; amount?: Nano },
): Promise<Answer> {
  const database = await session.openDatabase();
  const { reason, amount: amountNano } = options;
  const outcome = await database.refundTask({ taskId: id, amountNano, note: reason }, { actor: session.actor, reason });
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
  if (chargedNano === undefined) return new Refusal(`${unknown(id)}, or its bookings are removed: correct its account`);
  return new Refusal(`task ${id} was charged ${nanoToDecimal(chargedNano)}, and no more than that is refunded`);
}

async function readEnded(tasks: Pick<Tasks, 'read'>, id: TaskId) {
  const task = await tasks.read(id);
  if (!task) throw new Error(`task ${id} was ended and is not there`);
  return task;
}

function unknown(id: TaskId): string {
  return `there is no task ${id}`;
}

function hasEnded(id: TaskId, status: string): string {
  return `task ${id} has ended (${status}), and a task that has ended never changes`;
}
