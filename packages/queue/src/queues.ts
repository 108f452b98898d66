import type { DeliveryJob, Family, StepEnd, TaskJob } from '@mediagate/contracts';
import { Queue } from 'bullmq';
import { type CommandConnection, openCommandConnection } from './connection';
import { type ConsumeOptions, Consumer } from './consumer';
import {
  deliveryJob,
  enqueueTogether,
  findMissing,
  type JobToAdd,
  parseDeliveryJob,
  parseTaskJob,
  type QueuedDelivery,
  type QueuedStart,
  type QueuedTask,
  taskJob,
} from './jobs';
import { LossMarks } from './loss-marks';
import { countQueues, type QueueCounts } from './queue-counts';
import { DELIVERIES, QUEUE_NAMES, type QueueName, queuePrefixes } from './queue-names';
import { clearKeys, nodesOf, type RedisServer, readRedisServers } from './redis/servers';
import { countStarts, countWaiting, LINE_PRIORITY, LineGuard, type WaitingJobs } from './start-lines';

export interface QueuesOptions {
  redisUrl: string;
  /** Separates deployments, and test files, that share a Redis. */
  prefix?: string;
  /** Called for errors in the background; the queue itself continues. */
  onError?(error: Error): void;
}

type Handle<T> = (job: T) => Promise<StepEnd | undefined>;

export function openQueues(options: QueuesOptions): Queues {
  return new Queues(options);
}

const PROBE_LIFE_MS = 60_000;
/** A consumer keeps a job for a while that had something to do. */
const JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;

/**
 * Says which rows to look at, and nothing more: a job that is lost, doubled, late or invented changes nothing, so every
 * call here may fail without harm.
 */
export class Queues {
  readonly #redisUrl: string;
  readonly #prefixOf: (name: string) => string;
  readonly #report: (error: Error) => void;
  readonly #producer: CommandConnection;
  readonly #lossMarks: LossMarks;
  readonly #queues = new Map<string, Queue>();
  readonly #consumers = new Set<Consumer>();
  readonly #guards = new Map<Family, LineGuard>();
  readonly #enqueueFirst: (deliveryId: string) => Promise<void>;

  constructor({ redisUrl, prefix, onError }: QueuesOptions) {
    this.#redisUrl = redisUrl;
    this.#prefixOf = queuePrefixes(redisUrl, prefix);
    this.#report = (error) => onError?.(error);
    this.#producer = openCommandConnection(redisUrl, this.#report);
    this.#lossMarks = new LossMarks(this.#producer);
    this.#enqueueFirst = enqueueTogether((jobs) => this.#add(DELIVERIES, jobs));
  }

  /** Rejects within 1.5 s when Redis does not answer; the reconciler enqueues the task then. */
  enqueueTask(task: QueuedTask): Promise<void> {
    return this.#add(task.family, [taskJob(task)]);
  }

  enqueueTasks(family: Family, tasks: readonly QueuedTask[]): Promise<void> {
    return this.#add(family, tasks.map(taskJob));
  }

  enqueueStarts(family: Family, starts: readonly QueuedStart[]): Promise<void> {
    return this.#add(
      family,
      starts.map(({ line, ...task }) => ({ ...taskJob({ ...task, family }), priority: LINE_PRIORITY[line] })),
    );
  }

  /** Starts that wait to be taken: one command, for who only wants to know whether the window is full. */
  countStarts(family: Family): Promise<number> {
    const { redis, command } = this.#producer;
    return command(() => countStarts(redis, this.#queue(family)));
  }

  countWaiting(family: Family): Promise<WaitingJobs> {
    const { redis, command } = this.#producer;
    return command(() => countWaiting(redis, this.#queue(family)));
  }

  /** Counts the jobs of each of `QUEUE_NAMES`. */
  counts(): Promise<QueueCounts[]> {
    const { redis, command } = this.#producer;
    return command(() =>
      countQueues(
        redis,
        QUEUE_NAMES.map((name) => this.#queue(name)),
      ),
    );
  }

  /** Returns the tasks for which the queue has no job that is still to be done; jobs enqueued with `distinct` do not count. */
  findMissing<T extends Pick<QueuedTask, 'taskId' | 'fence'>>(family: Family, tasks: readonly T[]): Promise<T[]> {
    return findMissing(this.#producer, this.#queue(family), tasks);
  }

  /** Lets a few starts go on whose line stood still since the last call, beside others; how many. */
  releaseStandingLines(family: Family): Promise<number> {
    const { redis, command } = this.#producer;
    const guard = this.#guards.get(family) ?? new LineGuard(redis, this.#queue(family));
    this.#guards.set(family, guard);
    return command(() => guard.release());
  }

  /** First attempts that are enqueued together share jobs, and rejects for them within 3 s. */
  enqueueDelivery(delivery: QueuedDelivery): Promise<void> {
    const { deliveryId, attemptsMade, delayMs = 0, distinct } = delivery;
    const isFirst = attemptsMade === 0 && delayMs <= 0 && distinct === undefined;
    return isFirst ? this.#enqueueFirst(deliveryId) : this.#add(DELIVERIES, [deliveryJob(delivery)]);
  }

  enqueueDeliveries(deliveries: readonly QueuedDelivery[]): Promise<void> {
    return this.#add(DELIVERIES, deliveries.map(deliveryJob));
  }

  /** `handle` answers undefined where there was nothing to do, and the job is removed; else it is kept for the board. */
  consumeTasks(family: Family, handle: Handle<TaskJob>, options: ConsumeOptions): Consumer {
    return this.#consume(family, parseTaskJob, handle, options);
  }

  /** A job names several deliveries, and all of them are handed over at once: `handle` bounds how many are begun. */
  consumeDeliveries(handle: (job: DeliveryJob) => Promise<void>, options: ConsumeOptions): Consumer {
    const handleAll = async (jobs: DeliveryJob[]) => {
      await Promise.all(jobs.map(handle));
      return undefined;
    };
    return this.#consume(DELIVERIES, parseDeliveryJob, handleAll, options);
  }

  /** False while Redis is away. */
  isConnected(): boolean {
    return this.#producer.redis.status === 'ready';
  }

  /** Checks one queue's server: others may be elsewhere. It writes, as a primary that became a replica answers everything else. */
  async ping(queue: QueueName): Promise<void> {
    const { redis, command } = this.#producer;
    await command(() => redis.set(`${this.#prefixOf(queue)}:writable`, '1', 'PX', PROBE_LIFE_MS));
  }

  /** Describes the servers that take writes. */
  servers(): Promise<RedisServer[]> {
    const { redis, command } = this.#producer;
    return command(() => readRedisServers(redis));
  }

  /** True once after a Redis behind the queues was found without what this deployment wrote: its jobs are gone. */
  jobsWereLost(): Promise<boolean> {
    return this.#lossMarks.findLoss(this.#prefixes());
  }

  /** Removes every job of this deployment; the reconciler enqueues from rows what is due. */
  async clear(): Promise<void> {
    const { redis } = this.#producer;
    for (const node of nodesOf(redis)) {
      for (const prefix of this.#prefixes()) await clearKeys(this.#producer, node, prefix);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#consumers].map((consumer) => consumer.close()));
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
    this.#producer.redis.disconnect();
  }

  async #add(name: string, jobs: readonly JobToAdd[]): Promise<void> {
    if (jobs.length === 0) return;
    const entries = jobs.map(({ id, name, data, delayMs, priority = 0 }) => ({
      name,
      data,
      opts: { ...JOB_OPTIONS, jobId: id, delay: Math.max(0, Math.round(delayMs)), priority },
    }));
    await this.#producer.command(() => this.#queue(name).addBulk(entries));
  }

  /** The prefixes of all queues, each once. */
  #prefixes(): string[] {
    return [...new Set(QUEUE_NAMES.map(this.#prefixOf))];
  }

  #queue(name: string): Queue {
    const existing = this.#queues.get(name);
    if (existing) return existing;
    const queue = new Queue(name, {
      connection: this.#producer.redis,
      prefix: this.#prefixOf(name),
      skipVersionCheck: true,
      skipWaitingForReady: true,
    });
    queue.on('error', this.#report);
    this.#queues.set(name, queue);
    return queue;
  }

  #consume<T>(
    name: string,
    parse: (data: unknown) => T | undefined,
    handle: Handle<T>,
    options: ConsumeOptions,
  ): Consumer {
    const consumer = new Consumer({
      ...options,
      name,
      redisUrl: this.#redisUrl,
      prefix: this.#prefixOf(name),
      report: this.#report,
      async handle(data) {
        const job = parse(data);
        return job === undefined ? undefined : handle(job);
      },
      onClose: () => this.#consumers.delete(consumer),
    });
    this.#consumers.add(consumer);
    return consumer;
  }
}
