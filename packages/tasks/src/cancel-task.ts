import { type Family, isTerminal, type TaskId } from '@mediagate/contracts';
import type { CancelToFollow, Database, TaskRow } from '@mediagate/database';
import { type CancelAnswer, CancelWatch } from './cancel-watch';

export interface CancelDeps {
  database: Pick<Database, 'requestCancel' | 'followCancelRequests'>;
  readTask(id: TaskId): Promise<TaskRow | undefined>;
  /** Ends the task with a refund unless an upstream was asked for it, and what follows from its end. False: nothing was changed. */
  endUnpaid(id: TaskId): Promise<boolean>;
  /** Its worker is to look at it now. Not waited for: the reconciler enqueues what is due. */
  enqueueTask(task: { family: Family; taskId: TaskId; fence: number; distinct: string }): void;
  /** Protocols that can cancel what an upstream has accepted. */
  protocols: readonly string[];
  /** The caller of the task waits for the answer itself. */
  isSynchronous(task: Pick<TaskRow, 'model' | 'operation'>): boolean;
  /** A look at what became of requests has failed; the next one comes. */
  onLookFailed(error: unknown): void;
  /** How long an answer to a request is waited for; default 10 s. */
  waitMs?: number | undefined;
}

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

export type CancelTask = (id: TaskId, wait: CancelWait) => Promise<Cancellation | undefined>;

const WAIT_MS = 10_000;
/** An attempt may open and end between two statements. */
const MAX_ROUNDS = 3;

/**
 * Cancels a task for its account. Before an upstream was asked for it, one statement ends it; afterwards the request is
 * recorded, because only the worker that holds the task's lease may speak to the upstream. Cancelling again is safe.
 */
export function createTaskCanceller(deps: CancelDeps): CancelTask {
  const { database, endUnpaid } = deps;
  const enqueue = ({ id: taskId, family, fence }: { id: TaskId; family: Family; fence: number }) =>
    deps.enqueueTask({ family, taskId, fence, distinct: 'cancel' });
  const watch = new CancelWatch({ database, enqueue, onError: deps.onLookFailed });

  return async (id, wait) => {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const task = await deps.readTask(id);
      if (!task) return undefined;
      if (isTerminal(task.status)) return endOf(task);
      if (await endUnpaid(id)) return readEnd(id, deps);
      const options = { protocols: deps.protocols, isSynchronous: deps.isSynchronous(task) };
      const [request] = await database.requestCancel(id, options);
      if (request) {
        const { fence, isNew, isDue } = request;
        if (isDue) enqueue({ ...task, fence });
        return waitForAnswer({ id, fence: isNew ? fence : null }, wait);
      }
      const [state] = await database.followCancelRequests([{ id, fence: null }]);
      if (state && !isTerminal(state.status) && !state.isUnpaid) return { kind: 'started' };
    }
    return { kind: 'started' };
  };

  async function waitForAnswer(
    request: CancelToFollow,
    { signal, takeSlot }: CancelWait,
  ): Promise<Cancellation | undefined> {
    const leave = takeSlot();
    if (leave === undefined) return { kind: 'requested' };
    try {
      return await conclude(request, AbortSignal.any([signal, AbortSignal.timeout(deps.waitMs ?? WAIT_MS)]));
    } finally {
      leave();
    }
  }

  async function conclude(request: CancelToFollow, signal: AbortSignal): Promise<Cancellation | undefined> {
    const { id } = request;
    let answer: CancelAnswer | undefined;
    // Between two attempts it is ended here, unless the next one has begun meanwhile.
    do {
      answer = await watch.untilAnswered(request, signal);
    } while (answer === 'unpaid' && !(await endUnpaid(id)));
    switch (answer) {
      case undefined:
        return { kind: 'requested' };
      case 'declined':
        return { kind: 'started' };
      case 'unpaid':
      case 'ended':
        return readEnd(id, deps);
      default:
        return answer satisfies never;
    }
  }
}

async function readEnd(id: TaskId, { readTask }: CancelDeps): Promise<Cancellation | undefined> {
  const task = await readTask(id);
  return task && endOf(task);
}

function endOf(task: TaskRow): Cancellation {
  const isCancelled = task.status === 'failed' && task.error?.['reason'] === 'cancelled';
  return isCancelled ? { kind: 'cancelled', task } : { kind: 'ended' };
}
