import { type Job, WaitingError, Worker } from 'bullmq';
import { type ConsumerConnection, openConsumerConnection, withinTime } from './connection';

export interface ConsumeOptions {
  concurrency: number;
}

export interface Consumer {
  /** Takes no more jobs and waits for those in flight. */
  close(): Promise<void>;
  pause(): Promise<void>;
  resume(): void;
  /** Whether jobs are being taken: started, neither paused nor closed, and Redis answers. */
  running(): boolean;
}

interface QueueConsumerOptions extends ConsumeOptions {
  name: string;
  redisUrl: string;
  /** As `keyPrefix` makes it. */
  prefix: string;
  report(error: Error): void;
  handle(data: unknown): Promise<void>;
  onClose(): void;
}

const LOCK_MS = 30_000;
const STALLED_CHECK_MS = 15_000;
/** Whoever claims its task runs a stalled job again; the count must never end a task. */
const MAX_STALLED_COUNT = 1000;
const CLOSE_TIMEOUT_MS = 5000;

export class QueueConsumer implements Consumer {
  readonly #options: QueueConsumerOptions;
  readonly #connection: ConsumerConnection;
  readonly #worker: Worker;
  readonly #inFlight = new Set<Promise<void>>();
  #closed: Promise<void> | undefined;

  constructor(options: QueueConsumerOptions) {
    this.#options = options;
    this.#connection = openConsumerConnection(options.redisUrl, options.report);
    this.#worker = new Worker(options.name, (job: Job, token?: string) => this.#run(job, token), {
      connection: this.#connection.redis,
      prefix: options.prefix,
      concurrency: options.concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: MAX_STALLED_COUNT,
    });
    this.#worker.on('error', options.report);
  }

  running(): boolean {
    return this.#worker.isRunning() && this.#connection.redis.status === 'ready';
  }

  pause(): Promise<void> {
    return this.#worker.pause(true);
  }

  resume(): void {
    void this.#worker.resume();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #run(job: Job, token: string | undefined): Promise<void> {
    if (this.#closed !== undefined) await giveBack(job, token);
    const work = this.#options.handle(job.data).finally(() => this.#inFlight.delete(work));
    this.#inFlight.add(work);
    await work;
  }

  /**
   * Waits for the jobs in flight without a limit, and for Redis a moment: the jobs are done by then, and Redis only learns of it.
   * Without Redis, BullMQ would wait for it before it closes, so it is ended by force.
   */
  async #close(): Promise<void> {
    this.#options.onClose();
    const redisIsGone = this.#connection.redis.status !== 'ready';
    const stopped = redisIsGone ? this.#worker.pause(true) : this.#worker.close();
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight);
    const closed = redisIsGone ? this.#worker.close(true) : stopped;
    await withinTime(closed, CLOSE_TIMEOUT_MS).catch(this.#options.report);
    this.#connection.disconnect();
  }
}

/** BullMQ may have been fetching it when it was closed. Another process takes it at once. */
async function giveBack(job: Job, token: string | undefined): Promise<never> {
  await job.moveToWait(token);
  throw new WaitingError();
}
