import { randomUUID } from 'node:crypto';
import { FAMILY_TRAITS, type Family, WINDOW_FAMILIES, WORKER_FAMILIES } from '@mediagate/contracts';
import {
  type AwaitedKey,
  type Database,
  DatabaseConflictError,
  type TurnPlace,
  type WaitingTask,
} from '@mediagate/database';
import type { Queues } from '@mediagate/queue';
import type { LeasedJob } from '../job';

/** Time that the API has from the commit of a row to enqueueing it, and a worker to claim it. */
const GRACE_MS = 500;
/** Tasks of a family that one look takes at most; of families without a window, too. */
const BATCH = 500;
const EVERY_MS = 250;
/** Another process takes over within this time and `RENEW_MS` after a dispatcher was killed. */
const LEASE_MS = 3000;
const RENEW_MS = 1000;
/** How long a line of starts may stand still while jobs of another one are taken. */
const STANDING_MS = 10_000;
const FORGET_BATCH = 2000;
const FIRST: TurnPlace = { fromAccountId: '', turnLeft: 0 };
/** Keys whose slots tasks await that one look visits at most; the next look goes on after them. */
const AWAITED_KEYS = 100;
/** After this time a look begins no further hand-over: every family waits meanwhile, and the lease must be renewed. */
const HAND_OVER_MS = 500;
const FIRST_KEY = { keyId: '', family: '' };

export interface DispatchDeps {
  database: Database;
  queues: Queues;
  /** Starts of a family in the queue's fair line at most. */
  windowJobs: number;
}

/**
 * Enqueues tasks that wait in their rows for as long as the window of their family is not full: in turns of their accounts, by
 * priority class, then by age. Before that it gives slots of keys that nobody handed over to tasks that await one. One process at a
 * time does so, by a lease; another would disturb the turns, and nothing else. The turns are in memory: a process that takes over
 * begins a new round.
 */
export function dispatchTasks(deps: DispatchDeps): LeasedJob {
  const dispatcher = new TaskDispatcher(deps);
  return {
    name: 'dispatch-tasks',
    everyMs: EVERY_MS,
    run: () => dispatcher.run(),
    close: () => dispatcher.close(),
  };
}

class TaskDispatcher {
  readonly #deps: DispatchDeps;
  readonly #lease = { name: 'dispatch-tasks', holder: randomUUID() };
  readonly #places = new Map<Family, TurnPlace>();
  #keysAfter: { keyId: string; family: string } = FIRST_KEY;
  /** The times here and below are by `performance.now()`. */
  #renewAt = 0;
  #leasedUntil = 0;
  #guardAt = 0;
  /** Redis reports its loss once; this stays true until every row is marked as not enqueued. */
  #jobsLost = false;

  constructor(deps: DispatchDeps) {
    this.#deps = deps;
  }

  async run(): Promise<{ done: number; more: boolean }> {
    if (!(await this.#isLeased())) return { done: 0, more: false };
    await this.#releaseStandingLines();
    await this.#handOverKeySlots();
    const free = await this.#readFree();
    if (free.size === 0) return { done: 0, more: false };
    const wanted = [...free].map(([family, limit]) => ({ family, limit, ...(this.#places.get(family) ?? FIRST) }));
    const tasks = await this.#deps.database.findWaitingTasks(wanted, GRACE_MS);
    for (const [family, ofFamily] of byFamily(tasks)) await this.#enqueue(family, ofFamily);
    return { done: tasks.length, more: false };
  }

  async close(): Promise<void> {
    if (performance.now() < this.#leasedUntil) await this.#deps.database.returnLease(this.#lease);
  }

  /** Renews the lease once a second, and then checks whether Redis is still the same. */
  async #isLeased(): Promise<boolean> {
    const now = performance.now();
    if (now >= this.#renewAt) {
      const taken = await this.#deps.database.takeLease(this.#lease, LEASE_MS);
      this.#leasedUntil = taken.length > 0 ? now + LEASE_MS : 0;
      if (taken.length > 0) await this.#forgetLostJobs();
      this.#renewAt = now + RENEW_MS;
    }
    return performance.now() < this.#leasedUntil;
  }

  /** Tasks that have not begun wait in their rows again; `enqueue-due-tasks` finds those that have. */
  async #forgetLostJobs(): Promise<void> {
    const { database, queues } = this.#deps;
    this.#jobsLost ||= await queues.jobsWereLost();
    while (this.#jobsLost) {
      this.#jobsLost = (await database.forgetEnqueued(WORKER_FAMILIES, FORGET_BATCH)).length === FORGET_BATCH;
    }
  }

  async #releaseStandingLines(): Promise<void> {
    const now = performance.now();
    if (now < this.#guardAt) return;
    this.#guardAt = now + STANDING_MS;
    for (const family of WINDOW_FAMILIES) await this.#deps.queues.releaseStandingLines(family);
  }

  /**
   * Hands over slots of keys that are allowed more, or whose task was cancelled, waits for its caller now, or lost its worker after its
   * end. Ends with the first key whose row somebody holds, as each of them costs 250 ms; the next look goes on after that key.
   */
  async #handOverKeySlots(): Promise<void> {
    const { database } = this.#deps;
    const awaited: AwaitedKey[] = await database.findAwaitedKeys(this.#keysAfter, AWAITED_KEYS);
    const stopAt = performance.now() + HAND_OVER_MS;
    this.#keysAfter = awaited[AWAITED_KEYS - 1] ?? FIRST_KEY;
    for (const key of awaited) {
      if (!key.hasSlot) continue;
      const isHandedOver = await this.#handOver(key);
      if (isHandedOver && performance.now() < stopAt) continue;
      this.#keysAfter = key;
      return;
    }
  }

  /** False: somebody holds the key's row. */
  async #handOver(key: AwaitedKey): Promise<boolean> {
    try {
      await this.#deps.database.handOverKeySlots(key);
      return true;
    } catch (error) {
      if (error instanceof DatabaseConflictError) return false;
      throw error;
    }
  }

  /** Starts that each family's window can still take; a family whose window is full is left out. */
  async #readFree(): Promise<Map<Family, number>> {
    const { queues, windowJobs } = this.#deps;
    const counts = await Promise.all(
      WORKER_FAMILIES.map(async (family): Promise<[Family, number]> => {
        if (!FAMILY_TRAITS[family].hasWindow) return [family, BATCH];
        return [family, Math.min(BATCH, windowJobs - (await queues.countWaiting(family)).fair)];
      }),
    );
    return new Map(counts.filter(([, free]) => free > 0));
  }

  /**
   * Enqueues tasks, but those beyond the limits of their keys, which await a slot instead. Marks them after the queue has them: a task
   * that could not be enqueued must be tried again at once.
   */
  async #enqueue(family: Family, tasks: readonly WaitingTask[]): Promise<void> {
    const { database, queues } = this.#deps;
    const surplus = new Set((await database.awaitKeySlots(tasks.map(({ id }) => id))).map(({ id }) => id));
    const taken = tasks.filter(({ id }) => !surplus.has(id));
    const starts = taken.map(({ id: taskId, ...task }) => ({ ...task, taskId }));
    if (FAMILY_TRAITS[family].hasWindow) {
      await queues.enqueueStarts(
        family,
        starts.map((start) => ({ ...start, line: 'fair' })),
      );
    } else {
      await queues.enqueueTasks(family, starts);
    }
    await database.markTasksEnqueued(taken.map(({ id }) => id));
    this.#places.set(family, placeAfter(tasks.at(-1)));
  }
}

function placeAfter(last: WaitingTask | undefined): TurnPlace {
  if (last === undefined) return FIRST;
  const { accountId, turnLeft } = last;
  // One character more sorts it after the account, and before the next one.
  return turnLeft > 0 ? { fromAccountId: accountId, turnLeft } : { fromAccountId: `${accountId}0`, turnLeft: 0 };
}

function byFamily(tasks: readonly WaitingTask[]): Map<Family, WaitingTask[]> {
  const groups = new Map<Family, WaitingTask[]>();
  for (const task of tasks) groups.set(task.family, [...(groups.get(task.family) ?? []), task]);
  return groups;
}
