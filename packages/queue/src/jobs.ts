import { type DeliveryJob, type Family, isTaskId, type TaskId, type TaskJob } from '@mediagate/contracts';
import type { StartLine } from './start-lines';

/** A task whose next step is to be taken. */
export interface QueuedTask {
  family: Family;
  taskId: TaskId;
  /** The row's fence: jobs for the same step have the same id and collapse into one. */
  fence: number;
  delayMs?: number;
  /** Makes the job's id distinct where a job of the same fence may still be running. */
  distinct?: string;
}

/** A task that nobody has begun. */
export interface QueuedStart extends Pick<QueuedTask, 'taskId' | 'fence'> {
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
  data: TaskJob | DeliveryJob;
  delayMs: number;
  /** BullMQ's priority; absent: the job goes before all that have one. */
  priority?: number;
}

export function taskJob({ taskId, fence, delayMs = 0, distinct }: QueuedTask): JobToAdd {
  return { id: jobId(taskId, fence, distinct), data: { v: 1, taskId, fence }, delayMs };
}

export function deliveryJob({ deliveryId, attemptsMade, delayMs = 0, distinct }: QueuedDelivery): JobToAdd {
  return { id: jobId(deliveryId, attemptsMade, distinct), data: { v: 1, deliveryId, attemptsMade }, delayMs };
}

/** A job costs as much as the statements of its delivery do; its sender holds all that one names. */
const DELIVERIES_OF_ONE_JOB = 16;

/** Jobs of first attempts that are to be made now. */
export function firstDeliveryJobs(deliveryIds: readonly string[]): JobToAdd[] {
  const jobs: JobToAdd[] = [];
  for (let start = 0; start < deliveryIds.length; start += DELIVERIES_OF_ONE_JOB) {
    const [deliveryId = '', ...others] = deliveryIds.slice(start, start + DELIVERIES_OF_ONE_JOB);
    const { id, data, delayMs } = deliveryJob({ deliveryId, attemptsMade: 0 });
    if (others.length === 0) jobs.push({ id, data, delayMs });
    else jobs.push({ id: jobId(id, `and-${others.length}`), data: { ...data, others } as DeliveryJob, delayMs });
  }
  return jobs;
}

export function jobId(...parts: (string | number | undefined)[]): string {
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
