import { RepeatedLook } from '@mediagate/concurrency';
import { type Family, isTerminal, type TaskId } from '@mediagate/contracts';
import type { CancelRequestRow, CancelToFollow, Database } from '@mediagate/database';

export interface CancelWatchDeps {
  database: Pick<Database, 'followCancelRequests'>;
  /** Called with each task that a look made due. */
  enqueue(task: { taskId: TaskId; family: Family; fence: number }): void;
  onError(error: unknown): void;
}

/** The outcome of a request: its task has ended, no upstream works on it, or the upstream will not stop. */
export type CancelAnswer = 'ended' | 'unpaid' | 'declined';

interface Followed extends CancelToFollow {
  waiting: Set<(answer: CancelAnswer) => void>;
}

const LOOK_MS = 200;

/** Follows the cancel requests that callers of this process wait for. All of them together cost one statement a look. */
export class CancelWatch {
  readonly #deps: CancelWatchDeps;
  readonly #followed = new Map<TaskId, Followed>();
  readonly #looks: RepeatedLook;

  constructor(deps: CancelWatchDeps) {
    this.#deps = deps;
    this.#looks = new RepeatedLook({
      everyMs: LOOK_MS,
      isWanted: () => this.#followed.size > 0,
      look: () => this.#look(),
      onError: deps.onError,
    });
  }

  /** Undefined: there was no answer before the signal aborted. */
  untilAnswered(request: CancelToFollow, signal: AbortSignal): Promise<CancelAnswer | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    const followed = this.#follow(request);
    return new Promise((resolve) => {
      const leave = (answer?: CancelAnswer) => {
        followed.waiting.delete(leave);
        if (followed.waiting.size === 0) this.#followed.delete(followed.id);
        resolve(answer);
      };
      followed.waiting.add(leave);
      signal.addEventListener('abort', () => leave(), { once: true });
      this.#looks.start();
    });
  }

  /** Whoever made the request brings its fence, which stands for all who ask for the same. */
  #follow({ id, fence }: CancelToFollow): Followed {
    const followed = this.#followed.get(id) ?? { id, fence, waiting: new Set() };
    followed.fence ??= fence;
    this.#followed.set(id, followed);
    return followed;
  }

  async #look(): Promise<void> {
    const rows = await this.#deps.database.followCancelRequests([...this.#followed.values()]);
    for (const row of rows) this.#report(row);
  }

  #report({ id, family, fence, ...state }: CancelRequestRow): void {
    if (fence !== null) this.#deps.enqueue({ taskId: id, family, fence });
    const answer = answerOf(state);
    if (answer === undefined) return;
    for (const leave of this.#followed.get(id)?.waiting ?? []) leave(answer);
  }
}

function answerOf({
  status,
  isUnpaid,
  isRequested,
}: Pick<CancelRequestRow, 'status' | 'isUnpaid' | 'isRequested'>): CancelAnswer | undefined {
  if (isTerminal(status)) return 'ended';
  if (isUnpaid) return 'unpaid';
  return isRequested ? undefined : 'declined';
}
