import { createBatcher } from '@mediagate/concurrency';
import { type DeliveryJob, type Family, isTaskId, type TaskId, type TaskJob } from '@mediagate/contracts';
import type { Queue } from 'bullmq';
import type { CommandConnection } from './connection';
import type { StartLine } from './start-lines';

/** The fields that a board shows of a task's job. Nobody acts on them; absent: the row is not at hand. */
interface ShownTask {
  model?: string;
  operation?: string;
  accountId?: string;
  /** Attempts that were begun before the job. */
  attemptsMade?: number;
}

/** A task whose next step is to be taken. */
export interface QueuedTask extends ShownTask {
  family: Family;
  taskId: TaskId;
  /** The row's fence: jobs for the same step have the same id and collapse into one. */
  fence: number;
  delayMs?: number;
  /** Makes the job's id distinct where a job of the same fence may still be running. */
  distinct?: string;
}

/** A task that nobody has begun. */
export interface QueuedStart extends ShownTask, Pick<QueuedTask, 'taskId' | 'fence'> {
  line: StartLine;
}

/** A delivery whose next attempt is to be made. */
export interface QueuedDelivery {
  deliveryId: string;
  attemptsMade: number;
  delayMs?: number;
  distinct?: string;
}

export interface JobToAdd {
  id: string;
  /** The model and the operation of a task, so that a board tells what is worked on. */
  name: string;
  data: TaskJob | DeliveryJob;
  delayMs: number;
  /** BullMQ's priority; absent: the job goes before all that have one. */
  priority?: number;
}

export function taskJob({ family, taskId, fence, delayMs = 0, distinct, ...shown }: QueuedTask): JobToAdd {
  const { model = family, operation = '', accountId, attemptsMade } = shown;
  const name = `${model} ${operation}`.trim();
  const data = { v: 1 as const, taskId, fence, ...(accountId && { accountId }), ...(attemptsMade && { attemptsMade }) };
  return { id: jobId(taskId, fence, distinct), name, data, delayMs };
}

export function deliveryJob({ deliveryId, attemptsMade, delayMs = 0, distinct }: QueuedDelivery): JobToAdd {
  const data = { v: 1 as const, deliveryId, attemptsMade };
  return { id: jobId(deliveryId, attemptsMade, distinct), name: 'callback', data, delayMs };
}

/** A job costs as much as the statements of its delivery do; its sender holds all that one names. */
const DELIVERIES_OF_ONE_JOB = 16;

/** Jobs of first attempts that are to be made now. */
export function firstDeliveryJobs(deliveryIds: readonly string[]): JobToAdd[] {
  const jobs: JobToAdd[] = [];
  for (let start = 0; start < deliveryIds.length; start += DELIVERIES_OF_ONE_JOB) {
    const [deliveryId = '', ...others] = deliveryIds.slice(start, start + DELIVERIES_OF_ONE_JOB);
    const job = deliveryJob({ deliveryId, attemptsMade: 0 });
    const all = { id: jobId(job.id, `and-${others.length}`), data: { ...job.data, others } as DeliveryJob };
    jobs.push(others.length === 0 ? job : { ...job, ...all });
  }
  return jobs;
}

function jobId(...parts: (string | number | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join('-');
}

export function parseTaskJob(data: unknown): TaskJob | undefined {
  const { taskId, fence } = (data ?? {}) as Record<keyof TaskJob, unknown>;
  if (!isTaskId(taskId)) return undefined;
  return { v: 1, taskId, ...(typeof fence === 'number' && { fence }) };
}

/** Returns one job for each delivery that it names. */
export function parseDeliveryJob(data: unknown): DeliveryJob[] {
  const { deliveryId, attemptsMade, others } = (data ?? {}) as Record<keyof DeliveryJob, unknown>;
  const further = Array.isArray(others) ? others.slice(0, DELIVERIES_OF_ONE_JOB - 1) : [];
  const ids = new Set([deliveryId, ...further].filter((id) => typeof id === 'string'));
  const made = typeof attemptsMade === 'number' ? { attemptsMade } : {};
  return [...ids].map((id) => ({ v: 1, deliveryId: id, ...made }));
}

const LIMITS = { maxItems: 256, maxWaiting: 5000, maxInFlight: 4 };

/** Enqueues first attempts, those that come together by one command and few jobs. What is wrong with one is wrong with the connection. */
export function enqueueTogether(add: (jobs: JobToAdd[]) => Promise<void>): (deliveryId: string) => Promise<void> {
  return createBatcher<string, void>({
    ...LIMITS,
    full: (maxWaiting) => new Error(`${maxWaiting} callbacks wait to be enqueued already`),
    failsAll: () => true,
    async run(ids) {
      await add(firstDeliveryJobs(ids));
      return ids.map(() => undefined);
    },
  });
}

/**
 * Returns the tasks for which the queue has no job that is still to be done. A job that is kept although its step is due again is of a
 * claim that the database has lost: it is removed, as it would stand in the way of the next one.
 */
export async function findMissing<T extends Pick<QueuedTask, 'taskId' | 'fence'>>(
  { redis, command }: CommandConnection,
  queue: Queue,
  tasks: readonly T[],
): Promise<T[]> {
  if (tasks.length === 0) return [];
  const ids = tasks.map(({ taskId, fence }) => jobId(taskId, fence));
  const found = await command(() =>
    Promise.all(ids.map((id) => redis.hmget(queue.toKey(id), 'timestamp', 'finishedOn'))),
  );
  const kept = ids.filter((_, index) => found[index]?.[1] != null);
  await command(() => Promise.all(kept.map((id) => queue.remove(id))));
  return tasks.filter((_, index) => found[index]?.[0] == null || found[index]?.[1] != null);
}
