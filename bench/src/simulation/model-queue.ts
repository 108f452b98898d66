import type { Family, TaskId } from '@mediagate/contracts';
import type { QueuedStart, QueuedTask, Queues } from '@mediagate/queue';
import type { VirtualTime } from './virtual-time';

/** A job in the queue. */
interface Job {
  id: string;
  taskId: TaskId;
}

type Line = 'steps' | 'light' | 'fair';

const LINES: readonly Line[] = ['steps', 'light', 'fair'];

export type SimulatedQueues = Pick<
  Queues,
  | 'enqueueTask'
  | 'enqueueTasks'
  | 'enqueueStarts'
  | 'countStarts'
  | 'countWaiting'
  | 'findMissing'
  | 'jobsWereLost'
  | 'releaseStandingLines'
>;

/**
 * One family's queue, by the rules that the product has from BullMQ: a line is first in, first out, steps go before light starts and
 * those before fair ones, and a job whose id is there already, waiting or running, is not added again.
 */
export class ModelQueue implements SimulatedQueues {
  readonly #time: VirtualTime;
  readonly #ids = new Set<string>();
  readonly #lines: Record<Line, Job[]> = { steps: [], light: [], fair: [] };
  /** Jobs taken from each line, beside those that are still in its array. */
  readonly #taken: Record<Line, number> = { steps: 0, light: 0, fair: 0 };

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  /** The next job; undefined: none waits. */
  take(): Job | undefined {
    const line = LINES.find((each) => this.#length(each) > 0);
    if (line === undefined) return undefined;
    const job = this.#lines[line][this.#taken[line]];
    this.#taken[line] += 1;
    if (this.#taken[line] > COMPACTED_AFTER) {
      this.#lines[line].splice(0, this.#taken[line]);
      this.#taken[line] = 0;
    }
    return job;
  }

  done({ id }: Job): void {
    this.#ids.delete(id);
  }

  async enqueueTask(task: QueuedTask): Promise<void> {
    this.#add('steps', task);
  }

  async enqueueTasks(_family: Family, tasks: readonly QueuedTask[]): Promise<void> {
    for (const task of tasks) this.#add('steps', task);
  }

  async enqueueStarts(_family: Family, starts: readonly QueuedStart[]): Promise<void> {
    for (const start of starts) this.#add(start.line, start);
  }

  async countStarts(): Promise<number> {
    return this.#length('light') + this.#length('fair');
  }

  async countWaiting(family: Family): Promise<{ steps: number; light: number; fair: number }> {
    if (family !== 'image') return { steps: 0, light: 0, fair: Number.POSITIVE_INFINITY };
    return { steps: this.#length('steps'), light: this.#length('light'), fair: this.#length('fair') };
  }

  async findMissing<T extends Pick<QueuedTask, 'taskId' | 'fence'>>(
    _family: Family,
    tasks: readonly T[],
  ): Promise<T[]> {
    return tasks.filter(({ taskId, fence }) => !this.#ids.has(idOf({ taskId, fence })));
  }

  async jobsWereLost(): Promise<boolean> {
    return false;
  }

  /** Nothing stands still while all starts are of one kind of account. */
  async releaseStandingLines(): Promise<number> {
    return 0;
  }

  #length(line: Line): number {
    return this.#lines[line].length - this.#taken[line];
  }

  #add(line: Line, task: Omit<QueuedTask, 'family'>): void {
    const job = { id: idOf(task), taskId: task.taskId };
    if (this.#ids.has(job.id)) return;
    this.#ids.add(job.id);
    if (!task.delayMs) this.#lines[line].push(job);
    else this.#time.after(task.delayMs, () => this.#lines[line].push(job));
  }
}

const COMPACTED_AFTER = 10_000;

function idOf({ taskId, fence, distinct }: Pick<QueuedTask, 'taskId' | 'fence' | 'distinct'>): string {
  return [taskId, fence, ...(distinct === undefined ? [] : [distinct])].join('-');
}
