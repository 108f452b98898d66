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
  /** Of BullMQ; absent: before all that have one. */
  priority?: number;
}

export function taskJob({ taskId, fence, delayMs = 0, distinct }: QueuedTask): JobToAdd {
  return { id: jobId(taskId, fence, distinct), data: { v: 1, taskId, fence }, delayMs };
}

export function deliveryJob({ deliveryId, attemptsMade, delayMs = 0, distinct }: QueuedDelivery): JobToAdd {
  return { id: jobId(deliveryId, attemptsMade, distinct), data: { v: 1, deliveryId, attemptsMade }, delayMs };
}

export function jobId(...parts: (string | number | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join('-');
}

export function parseTaskJob(data: unknown): TaskJob | undefined {
  const { taskId, fence } = (data ?? {}) as { taskId?: unknown; fence?: unknown };
  if (!isTaskId(taskId)) return undefined;
  return { v: 1, taskId, ...(typeof fence === 'number' && { fence }) };
}

export function parseDeliveryJob(data: unknown): DeliveryJob | undefined {
  const { deliveryId, attemptsMade } = (data ?? {}) as { deliveryId?: unknown; attemptsMade?: unknown };
  if (typeof deliveryId !== 'string') return undefined;
  return { v: 1, deliveryId, ...(typeof attemptsMade === 'number' && { attemptsMade }) };
}
