import { RepeatedLook } from '@mediagate/concurrency';
import { isTerminal, type TaskId } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import type { SeenTask, TaskRow } from '@mediagate/tasks';
import { TASK_LOOK_MS } from '../request-limits';
import type { CallerConnection } from './caller-connection';

export interface TaskWatchDeps {
  /** Finds the tasks whose status or progress has changed since it was seen. */
  findChanged(seen: readonly SeenTask[]): Promise<TaskRow[]>;
  logger: Logger;
  lookMs?: number;
}

/** Receives the later states of a task. */
export interface Follower {
  /** When `remind` is called, by `performance.now()`. Looks notice the time, so that no follower needs a timer of its own. */
  remindAt: number;
  /** Called with each later state of the task; a state may be skipped if a later one follows at once. */
  see(row: TaskRow): void;
  remind(): void;
  /** The process is about to end: whoever waits should answer with what it knows. */
  close(): void;
}

export interface WaitOptions {
  timeoutMs: number;
  /** Ends the wait early when it closes: the caller has left. */
  connection: CallerConnection;
}

interface Following {
  /** The state that the follower knows. */
  known: SeenTask;
  follower: Follower;
  /** The look that began last before the follower came: what it reads may be older than what the follower knows. */
  cameAfterLook: number;
}

interface Watched {
  seen: SeenTask;
  followings: Following[];
}

/**
 * Follows the tasks that callers of this process wait for. All of them together cost one statement each `lookMs`, which
 * returns only what has changed; without any, nothing runs. Each follower has a slot for waiting callers, which bounds them.
 */
export class TaskWatch {
  readonly #deps: TaskWatchDeps;
  readonly #watched = new Map<TaskId, Watched>();
  readonly #looks: RepeatedLook;
  readonly #lookMs: number;
  #isClosed = false;
  /** How many have begun. */
  #lookCount = 0;

  constructor(deps: TaskWatchDeps) {
    this.#deps = deps;
    this.#lookMs = deps.lookMs ?? TASK_LOOK_MS;
    this.#looks = new RepeatedLook({
      everyMs: this.#lookMs,
      isWanted: () => this.#watched.size > 0,
      look: () => this.#look(),
      // The callers wait on: the next look may succeed.
      onError: (error) => deps.logger.warn('task_watch.look_failed', { count: this.#watched.size, error }),
    });
  }

  /** The task as soon as it has ended; after `timeoutMs`, when the caller leaves or the process ends, as it was seen last. */
  untilEnded(row: TaskRow, { timeoutMs, connection }: WaitOptions): Promise<TaskRow> {
    if (timeoutMs <= 0 || isTerminal(row.status) || connection.destroyed) return Promise.resolve(row);
    return new Promise((resolve) => {
      let last = row;
      const end = () => {
        this.unfollow(row.id, follower);
        connection.off('close', end);
        resolve(last);
      };
      const see = (later: TaskRow) => {
        last = later;
        if (isTerminal(later.status)) end();
      };
      const follower: Follower = { remindAt: performance.now() + timeoutMs, see, remind: end, close: end };
      connection.once('close', end);
      this.follow(row, follower);
    });
  }

  /** The follower sees each state after `row` until `unfollow` is called. */
  follow(row: TaskRow, follower: Follower): void {
    if (this.#isClosed) {
      follower.close();
      return;
    }
    const watched = this.#watched.get(row.id) ?? this.#watch(row);
    // A later follower may have read an earlier state, and must not miss the states between.
    if (!isSame(watched.seen, row)) watched.seen = unseen(row);
    const known = isSame(watched.seen, row) ? watched.seen : toSeen(row);
    watched.followings.push({ known, follower, cameAfterLook: this.#lookCount });
    this.#looks.start();
  }

  /** Stops following; a second call does no harm. */
  unfollow(id: TaskId, follower: Follower): void {
    const watched = this.#watched.get(id);
    if (watched === undefined) return;
    watched.followings = watched.followings.filter((following) => following.follower !== follower);
    if (watched.followings.length === 0) this.#watched.delete(id);
  }

  /** Whether a caller of this process follows the task. */
  isFollowed(id: TaskId): boolean {
    return this.#watched.has(id);
  }

  /** Ends every wait. */
  close(): void {
    this.#isClosed = true;
    this.#looks.stop();
    for (const { follower } of this.#allFollowings()) follower.close();
    this.#watched.clear();
  }

  #watch(row: TaskRow): Watched {
    const watched = { seen: toSeen(row), followings: [] };
    this.#watched.set(row.id, watched);
    return watched;
  }

  async #look(): Promise<void> {
    this.#remind();
    const seen = [...this.#watched.values()].map((watched) => watched.seen);
    if (seen.length === 0) return;
    this.#lookCount += 1;
    // A database that is slow to answer keeps nobody beyond their time.
    const reminders = setInterval(() => this.#remind(), this.#lookMs);
    try {
      for (const row of await this.#deps.findChanged(seen)) this.#report(row);
    } finally {
      clearInterval(reminders);
    }
  }

  #remind(): void {
    const now = performance.now();
    for (const { follower } of this.#allFollowings()) if (follower.remindAt <= now) follower.remind();
  }

  #allFollowings(): Following[] {
    return [...this.#watched.values()].flatMap(({ followings }) => followings);
  }

  #report(row: TaskRow): void {
    const watched = this.#watched.get(row.id);
    if (watched === undefined) return;
    const others = watched.followings.filter(({ known }) => !isSame(known, row));
    const mayBeAhead = ({ cameAfterLook }: Following) => cameAfterLook === this.#lookCount;
    const seen = toSeen(row);
    watched.seen = others.some(mayBeAhead) ? unseen(row) : seen;
    for (const following of others) {
      if (mayBeAhead(following)) continue;
      following.known = seen;
      following.follower.see(row);
    }
  }
}

/** The task with a progress that no task has, so that the next look returns it. */
function unseen(row: TaskRow): SeenTask {
  return { ...toSeen(row), progress: -1 };
}

function toSeen({ id, status, progress, awaitsCaller = null }: TaskRow): SeenTask {
  return { id, status, progress, awaitsCaller };
}

function isSame(seen: SeenTask, { status, progress, awaitsCaller = null }: SeenTask): boolean {
  return seen.status === status && seen.progress === progress && seen.awaitsCaller === awaitsCaller;
}
