import { setTimeout as delay } from 'node:timers/promises';
import { type Family, isTerminal, type TaskId } from '@mediagate/contracts';
import type { Database, TaskRow } from '@mediagate/database';

export interface CancelDeps {
  database: Pick<Database, 'requestCancel' | 'followCancelRequest'>;
  readTask(id: TaskId): Promise<TaskRow | undefined>;
  /** Ends the task with a refund unless an upstream was asked for it, and enqueues its callback. False: nothing was changed. */
  endUnpaid(id: TaskId): Promise<boolean>;
  /** Its worker is to look at it now. Not waited for: the reconciler enqueues what is due. */
  enqueueTask(task: { family: Family; taskId: TaskId; fence: number; distinct: string }): void;
  /** Protocols that can cancel what an upstream has accepted. */
  protocols: readonly string[];
  /** The caller of the task waits for the answer itself. */
  isSynchronous(task: Pick<TaskRow, 'model' | 'operation'>): boolean;
  /** How long an answer to a request is waited for; default 10 s. */
  waitMs?: number | undefined;
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
const LOOK_EVERY_MS = 200;
/** Of one process. Beyond it the request is made and its answer is not waited for. */
const MAX_WAITING = 500;
/** An attempt may open and end between two statements. */
const MAX_ROUNDS = 3;

/**
 * Cancels a task for its account. Before an upstream was asked for it, one statement ends it; afterwards the request is
 * recorded, because only the worker that holds the task's lease may speak to the upstream. Cancelling again is safe.
 */
export function createTaskCanceller(
  deps: CancelDeps,
): (id: TaskId, signal: AbortSignal) => Promise<Cancellation | undefined> {
  let waiting = 0;

  async function waitForAnswer(id: TaskId, signal: AbortSignal): Promise<Cancellation | undefined> {
    if (waiting >= MAX_WAITING) return { kind: 'requested' };
    waiting += 1;
    try {
      return await followRequest(id, signal, deps);
    } finally {
      waiting -= 1;
    }
  }

  return async (id, signal) => {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const task = await deps.readTask(id);
      if (!task) return undefined;
      if (isTerminal(task.status)) return endOf(task);
      if (await deps.endUnpaid(id)) return readEnd(id, deps);
      const options = { protocols: deps.protocols, isSynchronous: deps.isSynchronous(task) };
      const [requested] = await deps.database.requestCancel(id, options);
      if (requested) return waitForAnswer(id, signal);
      const [state] = await deps.database.followCancelRequest(id);
      if (state && !isTerminal(state.status) && !state.isUnpaid) return { kind: 'started' };
    }
    return { kind: 'started' };
  };
}

async function followRequest(id: TaskId, signal: AbortSignal, deps: CancelDeps): Promise<Cancellation | undefined> {
  const giveUpAt = performance.now() + (deps.waitMs ?? WAIT_MS);
  while (!signal.aborted && performance.now() < giveUpAt) {
    const [state] = await deps.database.followCancelRequest(id);
    if (!state) return undefined;
    const { status, isRequested, isUnpaid, family, fence } = state;
    // An upstream may have turned it away meanwhile.
    if (isTerminal(status) || (isUnpaid && (await deps.endUnpaid(id)))) return readEnd(id, deps);
    if (!isRequested) return { kind: 'started' };
    if (fence !== null) deps.enqueueTask({ family, taskId: id, fence, distinct: 'cancel' });
    await delay(LOOK_EVERY_MS);
  }
  return { kind: 'requested' };
}

async function readEnd(id: TaskId, { readTask }: CancelDeps): Promise<Cancellation | undefined> {
  const task = await readTask(id);
  return task && endOf(task);
}

function endOf(task: TaskRow): Cancellation {
  const isCancelled = task.status === 'failed' && task.error?.['reason'] === 'cancelled';
  return isCancelled ? { kind: 'cancelled', task } : { kind: 'ended' };
}
