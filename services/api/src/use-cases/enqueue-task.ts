import type { CatalogueEntry } from '@mediagate/catalog';
import { createBatcher, Pace } from '@mediagate/concurrency';
import { FAMILY_TRAITS, type Family, type Owner, type TaskId } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import type { QueuedStart, Queues, StartLine } from '@mediagate/queue';

/** Tasks that wait for the queue at most; beyond it the dispatcher enqueues them. */
const MAX_WAITING = 1000;
const MAX_TOGETHER = 100;
/** Starts of one account and family that go before those of a flood: a burst of 4, then 2 a second. After a flood the account's next starts wait behind its own for a minute at most. */
const FEW_STARTS = { burst: 4, perSecond: 2, maxAheadMs: 60_000 };

export interface BookedTask {
  entry: Pick<CatalogueEntry, 'family' | 'id' | 'operation'>;
  taskId: TaskId;
  owner: Owner;
}

export type EnqueueTask = (task: BookedTask) => void;

export interface EnqueueTaskDeps {
  queues: Pick<Queues, 'enqueueTasks' | 'enqueueStarts' | 'countStarts' | 'countWaiting'>;
  logger: Logger;
  /** Starts of a family that wait in each of its lines at most; what several processes add at one moment comes on top. */
  windowJobs: number;
}

/**
 * Enqueues a task that has been committed. Nobody waits for it and nothing depends on it: the queue has its own time limit,
 * and the dispatcher enqueues a task that was not enqueued here. Tasks that come while others are in flight go together.
 */
export function createEnqueueTask(deps: EnqueueTaskDeps): EnqueueTask {
  const enqueuer = new TaskEnqueuer(deps);
  const add = createBatcher<BookedTask, void>({
    maxItems: MAX_TOGETHER,
    maxWaiting: MAX_WAITING,
    full: (maxWaiting) => new Error(`${maxWaiting} tasks wait to be enqueued`),
    failsAll: () => true,
    async run(tasks) {
      for (const [family, ofFamily] of byFamily(tasks)) await enqueuer.enqueue(family, ofFamily);
      return [];
    },
  });
  return (task) => {
    // The dispatcher enqueues a task that the full batcher refuses.
    add(task).catch(() => undefined);
  };
}

class TaskEnqueuer {
  readonly #deps: EnqueueTaskDeps;
  readonly #begun = new Pace(FEW_STARTS);

  constructor(deps: EnqueueTaskDeps) {
    this.#deps = deps;
  }

  async enqueue(family: Family, tasks: readonly BookedTask[]): Promise<void> {
    const { queues, logger } = this.#deps;
    try {
      if (FAMILY_TRAITS[family].hasWindow) await this.#enqueueWithin(family, tasks);
      else
        await queues.enqueueTasks(
          family,
          tasks.map((task) => ({ ...toStart(task), family })),
        );
    } catch (error) {
      logger.warn('task.enqueue_failed', { family, count: tasks.length, error });
    }
  }

  async #enqueueWithin(family: Family, tasks: readonly BookedTask[]): Promise<void> {
    const starts = tasks.map((task): QueuedStart => {
      const { owner } = task;
      // Tests stand behind whatever is paid for, and do not count as what their account has begun.
      const isLight = !owner.isTest && this.#countsAsFew(`${family} ${owner.accountId}`);
      const line = isLight ? 'light' : 'fair';
      return { ...toStart(task), line };
    });
    await this.#deps.queues.enqueueStarts(family, within(starts, await this.#readFree(family, starts.length)));
  }

  /** Counts one more start. */
  #countsAsFew(starts: string): boolean {
    const isFew = this.#begun.waitMs(starts) === 0;
    this.#begun.count(starts);
    return isFew;
  }

  /** How many starts each line takes. On a quiet system one command says that it takes all. */
  async #readFree(family: Family, wanted: number): Promise<FreeSlots> {
    const { queues, windowJobs } = this.#deps;
    if ((await queues.countStarts(family)) + wanted <= windowJobs) return { light: wanted, fair: wanted };
    const { light, fair } = await queues.countWaiting(family);
    return { light: windowJobs - light, fair: windowJobs - fair };
  }
}

function toStart({ entry: { id: model, operation }, taskId, owner: { accountId } }: BookedTask) {
  return { taskId, fence: 0, model, operation, accountId };
}

type FreeSlots = Record<StartLine, number>;

/** The first of each line for which there is a slot. */
function within(starts: readonly QueuedStart[], free: FreeSlots): QueuedStart[] {
  const left = { ...free };
  return starts.filter(({ line }) => {
    left[line] -= 1;
    return left[line] >= 0;
  });
}

function byFamily(tasks: readonly BookedTask[]): Iterable<[Family, BookedTask[]]> {
  const families = new Map<Family, BookedTask[]>();
  for (const task of tasks) families.set(task.entry.family, [...(families.get(task.entry.family) ?? []), task]);
  return families;
}
