import { setTimeout as delay } from 'node:timers/promises';
import type { Finish, Finished } from '@mediagate/billing';
import { retry } from '@mediagate/concurrency';
import type { TaskId } from '@mediagate/contracts';
import { DatabaseConflictError, DatabaseUnavailableError } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import { Counter, type Registry } from 'prom-client';

export interface SettlementsDeps {
  finish(finish: Finish): Promise<Finished>;
  readTask(id: string): Promise<{ status: string } | undefined>;
  logger: Logger;
  metrics: Registry;
}

/** Writes how the tasks that ran in this process ended, after their callers have been answered. */
export interface Settlements {
  /** A drain waits for the task from here on, before it is booked, until `end` is called and what it was given is written. */
  open(taskId: TaskId): Settlement;
  /** The tasks that are booked and not yet settled: this process renews their leases. */
  inFlight(): readonly TaskId[];
  /** Ends the work on a task at its account's request, if it is in flight here. */
  cancel(taskId: TaskId): void;
  /** So many are in flight that a booking which may not even exist is left to its lease. */
  readonly crowded: boolean;
  /** Resolves when every open task has ended and is written, or when the time is up. */
  drain(timeoutMs: number): Promise<void>;
}

export interface Settlement {
  /**
   * The task is booked, and in flight from here on.
   *
   * @param watch.settled called once, when its end is written or given up.
   * @param watch.cancel called when its account wants it cancelled; may be called again.
   */
  booked(watch: SettlementWatch): void;
  /** Undefined: the task was not booked, or its lease is left to lapse. */
  end(end: SettledTask | undefined): void;
}

export interface SettlementWatch {
  settled(): void;
  cancel(): void;
}

/** Fence and deadline are the task's own. */
export type SettledTask = Omit<Finish, 'fence'> & { model: string };

/**
 * How long an end may wait for others: one statement for many costs the accounts' rows one lock, which new reservations
 * would wait for.
 */
const GATHER_MS = 5;
/** While the database is away each end retries by itself; beyond so many no doubtful booking is added to them. */
const CROWD = 1000;
const FIRST_RETRY_MS = 200;
const MAX_RETRY_MS = 5_000;
/** Within the deadline of the task, after which its end is a refund, written by somebody else. Its lease is kept meanwhile. */
const GIVE_UP_AFTER_MS = 9 * 60_000;
/** Of a process: nobody claims a task that runs here, so its fence stays as it was made. */
const OWN_FENCE = 0;

export function createSettlements({ finish, readTask, logger, metrics }: SettlementsDeps): Settlements {
  const overruns = new Counter({
    name: 'mediagate_overruns_total',
    help: 'Tasks that used more than was reserved',
    labelNames: ['model'],
    registers: [metrics],
  });
  const lost = new Counter({
    name: 'mediagate_text_settlements_lost_total',
    help: 'Ends of text tasks that could not be written, or that somebody else had refunded before.',
    registers: [metrics],
  });
  let waiting: SettledTask[] = [];
  /** Their bookings are under way, or wait for a slot of their key. */
  const unbooked = new Set<TaskId>();
  const inFlight = new Map<TaskId, SettlementWatch | undefined>();
  let onEmpty: () => void = () => undefined;

  function flush(): void {
    const ends = waiting;
    waiting = [];
    for (const end of ends) void write(end);
  }

  async function write({ model, ...end }: SettledTask): Promise<void> {
    try {
      const { won, overrunNano } = await writePatiently(() => finish({ ...end, fence: OWN_FENCE }));
      // What is completed already was written by a try of our own whose word was lost; anything else was refunded.
      const isPaid = won || end.outcome.kind === 'failed' || (await readTask(end.taskId))?.status === 'completed';
      if (!isPaid) {
        lost.inc();
        logger.error('text.settlement_lost', { taskId: end.taskId, model, detail: 'somebody else ended the task' });
      }
      if (overrunNano > 0n) {
        overruns.inc({ model });
        logger.error('task.overrun', { taskId: end.taskId, model, amountNano: overrunNano });
      }
    } catch (error) {
      lost.inc();
      logger.error('text.settlement_lost', { taskId: end.taskId, model, error });
    } finally {
      letGo(end.taskId);
    }
  }

  function letGo(taskId: TaskId): void {
    const watch = inFlight.get(taskId);
    unbooked.delete(taskId);
    inFlight.delete(taskId);
    watch?.settled();
    if (countOpen() === 0) onEmpty();
  }

  function countOpen(): number {
    return unbooked.size + inFlight.size;
  }

  /** Also of a booking that may have been lost: until its refund is written, its lease is renewed. */
  function putInFlight(taskId: TaskId, watch?: SettlementWatch): void {
    unbooked.delete(taskId);
    inFlight.set(taskId, watch);
  }

  return {
    inFlight: () => [...inFlight.keys()],
    cancel: (taskId) => inFlight.get(taskId)?.cancel(),
    get crowded() {
      return inFlight.size > CROWD;
    },
    open(taskId) {
      unbooked.add(taskId);
      return {
        booked: (watch) => putInFlight(taskId, watch),
        end(end) {
          if (end === undefined) return letGo(taskId);
          if (unbooked.has(taskId)) putInFlight(taskId);
          if (waiting.push(end) === 1) setTimeout(flush, GATHER_MS);
        },
      };
    },
    async drain(timeoutMs) {
      if (countOpen() === 0) return;
      const empty = new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      await Promise.race([empty, delay(timeoutMs, undefined, { ref: false })]);
      if (countOpen() > 0) logger.warn('text.settlements_left', { count: countOpen() });
    },
  };
}

/** Writing an end twice changes nothing, so it is tried for as long as the database is away, up to a limit. */
function writePatiently<T>(write: () => Promise<T>): Promise<T> {
  return retry(write, {
    firstPauseMs: FIRST_RETRY_MS,
    maxPauseMs: MAX_RETRY_MS,
    withinMs: GIVE_UP_AFTER_MS,
    unref: true,
    isWorthRetrying: (error) => error instanceof DatabaseUnavailableError || error instanceof DatabaseConflictError,
  });
}
