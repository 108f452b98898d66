import { cancelUnpaid } from '@mediagate/billing';
import { enqueueCallback } from '@mediagate/callbacks';
import { isTerminal, type TaskId } from '@mediagate/contracts';
import type { CancelToFollow, TaskRow } from '@mediagate/database';
import type { CancelAnswer } from './cancel-watch';
import { enqueueTask, type Tasks } from './tasks';

export interface CancelWait {
  /** Ends the wait early. */
  signal: AbortSignal;
  /** A slot to wait in; undefined: there is none, so that the request is made and its answer is not waited for. */
  takeSlot(): (() => void) | undefined;
}

export type Cancellation =
  | { kind: 'cancelled'; task: TaskRow }
  /** It ended otherwise. */
  | { kind: 'ended' }
  /** An upstream works on it, and nobody can stop that. */
  | { kind: 'started' }
  /** Whoever works on the task has not answered in time. The request stands. */
  | { kind: 'requested' };

const WAIT_MS = 10_000;
/** An attempt may open and end between two statements. */
const MAX_ROUNDS = 3;

interface TaskToCancel {
  taskId: TaskId;
  accountId: string;
}

/**
 * Cancels a task for its account. Before an upstream was asked for it, one statement ends it; afterwards the request is
 * recorded, because only the worker that holds the task's lease may speak to the upstream. Cancelling again is safe.
 */
export async function cancelTask(tasks: Tasks, id: TaskId, wait: CancelWait): Promise<Cancellation | undefined> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const task = await tasks.database.readTask(id);
    if (!task) return undefined;
    if (isTerminal(task.status)) return endOf(task);
    const toCancel = { taskId: id, accountId: task.accountId };
    if (await cancelUnbegun(tasks, toCancel)) return readEnd(tasks, id);
    const request = await requestCancel(tasks, task);
    if (request) return waitForAnswer(tasks, { ...toCancel, request }, wait);
    const [state] = await tasks.database.followCancelRequests([{ id, fence: null }]);
    if (state && !isTerminal(state.status) && !state.isUnpaid) return { kind: 'started' };
  }
  return { kind: 'started' };
}

/** Cancels the task with a refund unless an upstream was asked for it. False: nothing was changed. */
export async function cancelUnbegun(tasks: Tasks, task: TaskToCancel): Promise<boolean> {
  const ended = await cancelUnpaid(tasks.finish, task);
  void enqueueCallback(tasks, ended);
  return ended.won;
}

/** Undefined: it cannot be cancelled, or no longer. */
async function requestCancel(tasks: Tasks, task: TaskRow): Promise<CancelToFollow | undefined> {
  const { protocols, isSynchronous } = tasks.cancelling;
  const { id, family } = task;
  const [request] = await tasks.database.requestCancel(id, { protocols, isSynchronous: isSynchronous(task) });
  if (request === undefined) return undefined;
  const { id: taskId, isNew, isDue, ...queued } = request;
  if (isDue) void enqueueTask(tasks, { ...queued, taskId, family, distinct: 'cancel' });
  return { id, fence: isNew ? request.fence : null };
}

/** A task whose account has asked a worker to cancel it. */
interface Requested extends TaskToCancel {
  request: CancelToFollow;
}

async function waitForAnswer(
  tasks: Tasks,
  requested: Requested,
  { signal, takeSlot }: CancelWait,
): Promise<Cancellation | undefined> {
  const leave = takeSlot();
  if (leave === undefined) return { kind: 'requested' };
  try {
    const timeout = AbortSignal.timeout(tasks.cancelling.waitMs ?? WAIT_MS);
    return await follow(tasks, requested, AbortSignal.any([signal, timeout]));
  } finally {
    leave();
  }
}

async function follow(
  tasks: Tasks,
  { request, ...task }: Requested,
  signal: AbortSignal,
): Promise<Cancellation | undefined> {
  let answer: CancelAnswer | undefined;
  // Between two attempts it is ended here, unless the next one has begun meanwhile.
  do {
    answer = await tasks.cancelWatch.untilAnswered(request, signal);
  } while (answer === 'unpaid' && !(await cancelUnbegun(tasks, task)));
  switch (answer) {
    case undefined:
      return { kind: 'requested' };
    case 'declined':
      return { kind: 'started' };
    case 'unpaid':
    case 'ended':
      return readEnd(tasks, task.taskId);
    default:
      return answer satisfies never;
  }
}

async function readEnd(tasks: Pick<Tasks, 'database'>, id: TaskId): Promise<Cancellation | undefined> {
  const task = await tasks.database.readTask(id);
  return task && endOf(task);
}

function endOf(task: TaskRow): Cancellation {
  const isCancelled = task.status === 'failed' && task.error?.['reason'] === 'cancelled';
  return isCancelled ? { kind: 'cancelled', task } : { kind: 'ended' };
}
