import { type Family, isTerminal, type TaskId } from '@mediagate/contracts';
import type { CancelToFollow, Database, TaskRow } from '@mediagate/database';
import { type CancelAnswer, CancelWatch } from './cancel-watch';

export interface TaskToCancel {
  taskId: TaskId;
  accountId: string;
}

export interface CancelDeps {
  database: Pick<Database, 'requestCancel' | 'followCancelRequests'>;
  readTask(id: TaskId): Promise<TaskRow | undefined>;
  /** Ends the task with a refund unless an upstream was asked for it, and what follows from its end. False: nothing was changed. */
  endUnpaid(task: TaskToCancel): Promise<boolean>;
  /** Has its worker look at it now. Nobody waits for this: the reconciler enqueues what is due. */
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
  const canceller = new TaskCanceller(deps);
  return (id, wait) => canceller.cancel(id, wait);
}

/** A task whose account has asked a worker to cancel it. */
interface Requested extends TaskToCancel {
  request: CancelToFollow;
}

class TaskCanceller {
  readonly #deps: CancelDeps;
  readonly #watch: CancelWatch;

  constructor(deps: CancelDeps) {
    this.#deps = deps;
    this.#watch = new CancelWatch({
      database: deps.database,
      enqueue: (task) => this.#enqueue(task),
      onError: deps.onLookFailed,
    });
  }

  async cancel(id: TaskId, wait: CancelWait): Promise<Cancellation | undefined> {
    const { database, readTask, endUnpaid } = this.#deps;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const task = await readTask(id);
      if (!task) return undefined;
      if (isTerminal(task.status)) return endOf(task);
      const toCancel = { taskId: id, accountId: task.accountId };
      if (await endUnpaid(toCancel)) return readEnd(id, this.#deps);
      const request = await this.#request(task);
      if (request) return this.#wait({ ...toCancel, request }, wait);
      const [state] = await database.followCancelRequests([{ id, fence: null }]);
      if (state && !isTerminal(state.status) && !state.isUnpaid) return { kind: 'started' };
    }
    return { kind: 'started' };
  }

  /** Undefined: it cannot be cancelled, or no longer. */
  async #request(task: TaskRow): Promise<CancelToFollow | undefined> {
    const { database, protocols, isSynchronous } = this.#deps;
    const { id, family } = task;
    const [request] = await database.requestCancel(id, { protocols, isSynchronous: isSynchronous(task) });
    if (request === undefined) return undefined;
    const { fence, isNew, isDue } = request;
    if (isDue) this.#enqueue({ id, family, fence });
    return { id, fence: isNew ? fence : null };
  }

  async #wait(requested: Requested, { signal, takeSlot }: CancelWait): Promise<Cancellation | undefined> {
    const leave = takeSlot();
    if (leave === undefined) return { kind: 'requested' };
    try {
      const timeout = AbortSignal.timeout(this.#deps.waitMs ?? WAIT_MS);
      return await this.#follow(requested, AbortSignal.any([signal, timeout]));
    } finally {
      leave();
    }
  }

  async #follow({ request, ...task }: Requested, signal: AbortSignal): Promise<Cancellation | undefined> {
    let answer: CancelAnswer | undefined;
    // Between two attempts it is ended here, unless the next one has begun meanwhile.
    do {
      answer = await this.#watch.untilAnswered(request, signal);
    } while (answer === 'unpaid' && !(await this.#deps.endUnpaid(task)));
    switch (answer) {
      case undefined:
        return { kind: 'requested' };
      case 'declined':
        return { kind: 'started' };
      case 'unpaid':
      case 'ended':
        return readEnd(task.taskId, this.#deps);
      default:
        return answer satisfies never;
    }
  }

  #enqueue({ id: taskId, family, fence }: { id: TaskId; family: Family; fence: number }): void {
    this.#deps.enqueueTask({ family, taskId, fence, distinct: 'cancel' });
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
