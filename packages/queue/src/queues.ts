import { type DeliveryJob, FAMILIES, type Family, isTaskId, type TaskId, type TaskJob } from '@mediagate/contracts';
import { type Job, Queue, Worker } from 'bullmq';
import { openCommandConnection, openConsumerConnection, withinTime } from './connection';

export interface QueuesOptions {
  redisUrl: string;
  /** Separates deployments, and test files, that share a Redis. */
  prefix?: string;
  /** Called for what happens in the background; the queue itself goes on. */
  onError?(error: Error): void;
}

export interface QueuedTask {
  family: Family;
  taskId: TaskId;
  /** The row's fence: wakes for the same step carry the same id and collapse into one. */
  fence: number;
  delayMs?: number;
  /** Makes the wake distinct where one with the same fence may still be in hand. */
  distinct?: string;
}

export interface QueuedDelivery {
  deliveryId: string;
  attemptsMade: number;
  delayMs?: number;
  distinct?: string;
}

export interface Consumer {
  /** Takes no more jobs and waits for those in hand. */
  close(): Promise<void>;
  pause(): Promise<void>;
  resume(): void;
  /** Milliseconds since the consumer last heard from Redis; tells a wedged connection from an idle one. */
  running(): boolean;
}

/**
 * Wakes workers up and is woken: nothing more. What a job says is only where to look, and a lost, doubled, late or invented
 * one changes nothing, so every call here may fail without harm.
 */
export interface Queues {
  /** Rejects within 1.5 s when Redis does not answer; the reconciler wakes the task then. */
  enqueueTask(wake: QueuedTask): Promise<void>;
  enqueueTasks(family: Family, wakes: readonly QueuedTask[]): Promise<void>;
  enqueueDelivery(wake: QueuedDelivery): Promise<void>;
  enqueueDeliveries(wakes: readonly QueuedDelivery[]): Promise<void>;
  consumeTasks(family: Family, handle: (job: TaskJob) => Promise<void>, options: ConsumeOptions): Consumer;
  consumeDeliveries(handle: (job: DeliveryJob) => Promise<void>, options: ConsumeOptions): Consumer;
  ping(): Promise<void>;
  /** True once after the Redis behind the queues was found empty of what this deployment wrote: every wake is gone. */
  jobsWereLost(): Promise<boolean>;
  close(): Promise<void>;
}

export interface ConsumeOptions {
  concurrency: number;
}

const LOCK_MS = 30_000;
const STALLED_CHECK_MS = 15_000;
/** A stalled job is run again by whoever claims its task; the count must never end a task. */
const MAX_STALLED_COUNT = 1000;
const CLOSE_TIMEOUT_MS = 5000;
const DELIVERIES = 'deliveries';
const JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;

export function openQueues(options: QueuesOptions): Queues {
  const prefix = keyPrefix(options.prefix);
  const report = (error: Error) => options.onError?.(error);
  const { redis: producer, command } = openCommandConnection(options.redisUrl, report);
  const queues = new Map<string, Queue>();
  const consumers = new Set<Consumer>();

  function queue(name: string): Queue {
    const existing = queues.get(name);
    if (existing) return existing;
    const created = new Queue(name, {
      connection: producer,
      prefix,
      skipVersionCheck: true,
      skipWaitingForReady: true,
    });
    created.on('error', report);
    queues.set(name, created);
    return created;
  }

  async function add(name: string, jobs: { id: string; data: object; delayMs: number }[]): Promise<void> {
    if (jobs.length === 0) return;
    const entries = jobs.map(({ id, data, delayMs }) => ({
      name: 'wake',
      data,
      opts: { ...JOB_OPTIONS, jobId: id, delay: Math.max(0, Math.round(delayMs)) },
    }));
    await command(() => queue(name).addBulk(entries));
  }

  function consume<T>(
    name: string,
    parse: (data: unknown) => T | undefined,
    handle: (job: T) => Promise<void>,
    { concurrency }: ConsumeOptions,
  ): Consumer {
    const connection = openConsumerConnection(options.redisUrl, report);
    const inFlight = new Set<Promise<void>>();
    const worker = new Worker(
      name,
      async (job: Job) => {
        const parsed = parse(job.data);
        if (parsed === undefined) return;
        const work = handle(parsed).finally(() => inFlight.delete(work));
        inFlight.add(work);
        await work;
      },
      {
        connection: connection.redis,
        prefix,
        concurrency,
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_CHECK_MS,
        maxStalledCount: MAX_STALLED_COUNT,
      },
    );
    worker.on('error', report);
    let closed: Promise<void> | undefined;
    /**
     * Waits for the work in hand as long as that takes; for Redis, which has only to be told, a moment. Without Redis BullMQ
     * cannot take more and would wait for it with everything it has open, so it is ended by force.
     */
    async function close(): Promise<void> {
      consumers.delete(consumer);
      const redisIsGone = connection.redis.status !== 'ready';
      const stopped = redisIsGone ? worker.pause(true) : worker.close();
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
      await withinTime(redisIsGone ? worker.close(true) : stopped, CLOSE_TIMEOUT_MS).catch(report);
      connection.disconnect();
    }
    const consumer: Consumer = {
      running: () => worker.isRunning() && connection.redis.status === 'ready',
      pause: () => worker.pause(true),
      resume: () => worker.resume(),
      close() {
        closed ??= close();
        return closed;
      },
    };
    consumers.add(consumer);
    return consumer;
  }

  const taskWakes = (wakes: readonly QueuedTask[]) =>
    wakes.map(({ taskId, fence, delayMs = 0, distinct }) => ({
      id: [taskId, fence, distinct].filter((part) => part !== undefined).join('-'),
      data: { v: 1, taskId } satisfies TaskJob,
      delayMs,
    }));
  const deliveryWakes = (wakes: readonly QueuedDelivery[]) =>
    wakes.map(({ deliveryId, attemptsMade, delayMs = 0, distinct }) => ({
      id: [deliveryId, attemptsMade, distinct].filter((part) => part !== undefined).join('-'),
      data: { v: 1, deliveryId } satisfies DeliveryJob,
      delayMs,
    }));

  return {
    enqueueTask: (wake) => add(wake.family, taskWakes([wake])),
    enqueueTasks: (family, wakes) => add(family, taskWakes(wakes)),
    enqueueDelivery: (wake) => add(DELIVERIES, deliveryWakes([wake])),
    enqueueDeliveries: (wakes) => add(DELIVERIES, deliveryWakes(wakes)),
    consumeTasks: (family, handle, consumeOptions) => consume(family, parseTaskJob, handle, consumeOptions),
    consumeDeliveries: (handle, consumeOptions) => consume(DELIVERIES, parseDeliveryJob, handle, consumeOptions),
    async ping() {
      await command(() => producer.ping());
    },
    async jobsWereLost() {
      const fresh = await command(() => producer.set(`${prefix}:alive`, '1', 'NX'));
      return fresh === 'OK';
    },
    async close() {
      await Promise.all([...consumers].map((consumer) => consumer.close()));
      await Promise.all([...queues.values()].map((open) => open.close()));
      producer.disconnect();
    },
  };
}

/** Every queue of a deployment, for pages and metrics. */
export const QUEUE_NAMES: readonly string[] = [...FAMILIES, DELIVERIES];

/** In braces, so that a Redis Cluster keeps all keys of a deployment on one node, as BullMQ's scripts need it. */
export function keyPrefix(prefix = 'mediagate'): string {
  return `{${prefix}}`;
}

function parseTaskJob(data: unknown): TaskJob | undefined {
  const taskId = (data as { taskId?: unknown } | null)?.taskId;
  return isTaskId(taskId) ? { v: 1, taskId } : undefined;
}

function parseDeliveryJob(data: unknown): DeliveryJob | undefined {
  const deliveryId = (data as { deliveryId?: unknown } | null)?.deliveryId;
  return typeof deliveryId === 'string' ? { v: 1, deliveryId } : undefined;
}
