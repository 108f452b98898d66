import { setMaxListeners } from 'node:events';
import { GatewayError, isTaskId, isTerminal, message } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import type { SeenTask, TaskRow } from '@mediagate/tasks';
import { TASK_LOOK_MS, WATCHED_TASKS_MAX } from '../request-limits';

export interface TaskWatchDeps {
  readTask(id: string): Promise<TaskRow | undefined>;
  /** Those of the tasks whose status or progress is another than was seen. */
  findChanged(seen: readonly SeenTask[]): Promise<TaskRow[]>;
  logger: Logger;
  lookMs?: number;
}

export interface WaitOptions {
  timeoutMs: number;
  /** Ends the wait early: the caller has left. */
  signal?: AbortSignal;
}

type Listener = (row: TaskRow) => void;

interface Watched {
  seen: SeenTask;
  /** Each with what it knows. */
  listeners: Map<Listener, SeenTask>;
}

const RETRY_AFTER_FULL_SECONDS = 5;

/**
 * Follows the tasks that callers of this process wait for. All of them together cost one statement each `lookMs`, which
 * returns only what has changed; without any, nothing runs.
 */
export class TaskWatch {
  readonly #deps: TaskWatchDeps;
  readonly #watched = new Map<string, Watched>();
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(deps: TaskWatchDeps) {
    this.#deps = deps;
    // Every waiting caller listens.
    setMaxListeners(0, this.closing);
  }

  /** Aborted when the process is about to end: whoever waits should answer with what it knows. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /**
   * The account's task as soon as it has ended; after `timeoutMs`, an abort or the end of the process as it was seen last.
   * Undefined: the account has no such task.
   *
   * @throws GatewayError `unavailable`: the process watches as many tasks as it may.
   */
  async waitForTask(id: string, accountId: string, { timeoutMs, signal }: WaitOptions): Promise<TaskRow | undefined> {
    const row = isTaskId(id) ? await this.#deps.readTask(id) : undefined;
    if (row?.accountId !== accountId) return undefined;
    if (timeoutMs <= 0 || isTerminal(row.status)) return row;
    return this.#untilEnded(row, timeoutMs, signal ? [this.closing, signal] : [this.closing]);
  }

  /**
   * Calls the listener with each later state of the task until the returned function is called. A state may be skipped if a
   * later one follows at once.
   *
   * @throws GatewayError `unavailable`: the process watches as many tasks as it may.
   */
  follow(row: TaskRow, listener: Listener): () => void {
    const watched = this.#watched.get(row.id) ?? this.#watch(row);
    // Who comes later may have read an earlier state, and must not miss what lies between.
    if (!isSame(watched.seen, row)) watched.seen = { ...toSeen(row), progress: NO_PROGRESS };
    watched.listeners.set(listener, toSeen(row));
    this.#lookLater();
    return () => {
      watched.listeners.delete(listener);
      if (watched.listeners.size === 0) this.#watched.delete(row.id);
    };
  }

  /**
   * The task's state as it was read, and then each later one until it has ended, the signal aborts or the process ends. States
   * that its reader is too slow for are skipped.
   *
   * @throws GatewayError `unavailable`: the process watches as many tasks as it may.
   */
  async *statesOf(row: TaskRow, signal: AbortSignal): AsyncGenerator<TaskRow> {
    if (isTerminal(row.status)) return yield row;
    let next: TaskRow | undefined = row;
    let resume = () => {};
    const onAbort = () => resume();
    const signals = [signal, this.closing];
    const isOver = () => signals.some(({ aborted }) => aborted);
    const unfollow = this.follow(row, (later) => {
      next = later;
      resume();
    });
    for (const each of signals) each.addEventListener('abort', onAbort);
    try {
      while (!isOver()) {
        const state: TaskRow | undefined = next;
        next = undefined;
        if (state !== undefined) yield state;
        if (state !== undefined && isTerminal(state.status)) return;
        // The abort may have come while the reader was busy with the state.
        if (next === undefined && !isOver()) await new Promise<void>((resolve) => (resume = resolve));
      }
    } finally {
      unfollow();
      for (const each of signals) each.removeEventListener('abort', onAbort);
    }
  }

  /** Ends every wait. */
  close(): void {
    this.#closing.abort();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #watch(row: TaskRow): Watched {
    if (this.#watched.size >= WATCHED_TASKS_MAX) {
      throw new GatewayError('unavailable', message('service_unavailable'), {
        retryAfterSeconds: RETRY_AFTER_FULL_SECONDS,
        internal: `${WATCHED_TASKS_MAX} tasks are watched already`,
      });
    }
    const watched = { seen: toSeen(row), listeners: new Map() };
    this.#watched.set(row.id, watched);
    return watched;
  }

  #untilEnded(first: TaskRow, timeoutMs: number, signals: readonly AbortSignal[]): Promise<TaskRow> {
    return new Promise((resolve) => {
      let last = first;
      const end = () => {
        unfollow();
        clearTimeout(timer);
        for (const signal of signals) signal.removeEventListener('abort', end);
        resolve(last);
      };
      const unfollow = this.follow(first, (row) => {
        last = row;
        if (isTerminal(row.status)) end();
      });
      const timer = setTimeout(end, timeoutMs);
      for (const signal of signals) signal.addEventListener('abort', end);
      if (signals.some(({ aborted }) => aborted)) end();
    });
  }

  #lookLater(): void {
    if (this.#timer || this.#isLooking || this.#watched.size === 0 || this.closing.aborted) return;
    this.#timer = setTimeout(() => void this.#look(), this.#deps.lookMs ?? TASK_LOOK_MS);
  }

  async #look(): Promise<void> {
    this.#timer = undefined;
    this.#isLooking = true;
    try {
      const seen = [...this.#watched.values()].map((watched) => watched.seen);
      if (seen.length > 0) for (const row of await this.#deps.findChanged(seen)) this.#report(row);
    } catch (error) {
      // The callers wait on: the next look may succeed.
      this.#deps.logger.warn('task_watch.look_failed', { count: this.#watched.size, error });
    } finally {
      this.#isLooking = false;
      this.#lookLater();
    }
  }

  #report(row: TaskRow): void {
    const watched = this.#watched.get(row.id);
    if (watched === undefined) return;
    watched.seen = toSeen(row);
    for (const [listener, known] of watched.listeners) {
      if (isSame(known, row)) continue;
      watched.listeners.set(listener, watched.seen);
      listener(row);
    }
  }
}

/** What no task has, so that the next look returns it. */
const NO_PROGRESS = -1;

function toSeen({ id, status, progress, awaitsCaller = null }: TaskRow): SeenTask {
  return { id, status, progress, awaitsCaller };
}

function isSame(seen: SeenTask, { status, progress, awaitsCaller = null }: SeenTask): boolean {
  return seen.status === status && seen.progress === progress && seen.awaitsCaller === awaitsCaller;
}
