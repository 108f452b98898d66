import type { StepEnd } from '@mediagate/contracts';
import { type Job, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import { type ConsumerConnection, openConsumerConnection, withinTime } from './connection';

export interface ConsumeOptions {
  concurrency: number;
  /** Milliseconds of a clock that never goes back. Default: the process's. */
  now?(): number;
}

interface ConsumerOptions extends ConsumeOptions {
  name: string;
  redisUrl: string;
  /** The prefix of the queue's keys, as `queuePrefixes` makes it. */
  prefix: string;
  report(error: Error): void;
  /** Undefined: there was nothing to do. */
  handle(data: unknown): Promise<StepEnd | undefined>;
  onClose(): void;
}

/** Jobs of either end that a queue keeps for its board at most, and their age, in seconds, from which the next one that is kept removes them. */
const KEPT = { count: 1000, age: 3600 };
const LOCK_MS = 30_000;
const STALLED_CHECK_MS = 15_000;
/** Whoever claims its task runs a stalled job again; the count must never end a task. */
const MAX_STALLED_COUNT = 1000;
const CLOSE_TIMEOUT_MS = 5000;
/** Longest time between two looks with a slot free. A look takes up to 10 s, or 12 where Redis is silent; a failed one is repeated after 15. */
const LOOK_LIMIT_MS = 60_000;

export class Consumer {
  readonly #options: ConsumerOptions;
  readonly #connection: ConsumerConnection;
  readonly #worker: WatchedWorker;
  readonly #now: () => number;
  readonly #inFlight = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;
  #paused = false;
  /** When it last looked for a job, or had a reason to begin looking: a slot became free, Redis came back. */
  #lookedAt: number;

  constructor(options: ConsumerOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#lookedAt = this.#now();
    this.#connection = openConsumerConnection(options.redisUrl, options.report);
    this.#connection.redis.on('ready', () => this.#noteLook());
    this.#worker = new WatchedWorker(options.name, (job: Job, token?: string) => this.#run(job, token), {
      connection: this.#connection.redis,
      prefix: options.prefix,
      concurrency: options.concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: MAX_STALLED_COUNT,
      autorun: false,
    });
    this.#worker.on('error', options.report);
    this.#worker.onLook = () => this.#noteLook();
    this.#worker.run().catch(options.report);
  }

  /** Whether jobs are being taken: started, neither paused nor closed, and Redis answers. */
  running(): boolean {
    return this.#worker.isRunning() && this.#connection.redis.status === 'ready';
  }

  /**
   * False: it has free slots and is neither paused nor closed, but has stopped looking for jobs, and nothing but a new process
   * would take them. True while Redis is away, and for a minute after.
   */
  isAlive(): boolean {
    if (this.#closed !== undefined || this.#paused || this.#connection.redis.status !== 'ready') return true;
    if (!this.#worker.isRunning()) return false;
    return !this.#hasFreeSlot() || this.#now() - this.#lookedAt < LOOK_LIMIT_MS;
  }

  pause(): Promise<void> {
    this.#paused = true;
    return this.#worker.pause(true);
  }

  resume(): void {
    this.#paused = false;
    this.#noteLook();
    void this.#worker.resume();
  }

  /** Takes no more jobs and waits for those in flight. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #run(job: Job, token: string | undefined): Promise<StepEnd | undefined> {
    if (this.#closed !== undefined) await giveBack(job, token);
    const work = this.#options.handle(job.data).finally(() => this.#end(work));
    this.#inFlight.add(work);
    const end = await work;
    if (end !== undefined) keep(job, end);
    return end;
  }

  #end(work: Promise<unknown>): void {
    // The answer to its end brings the next job, if there is one, without a look.
    if (!this.#hasFreeSlot()) this.#noteLook();
    this.#inFlight.delete(work);
  }

  #hasFreeSlot(): boolean {
    return this.#inFlight.size < this.#options.concurrency;
  }

  #noteLook(): void {
    this.#lookedAt = this.#now();
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

/**
 * Only the job of a step that was claimed is kept: the task's fence is above the job's then, so that no job to come has the same id.
 *
 * @throws UnrecoverableError which BullMQ takes for the end of a failed job
 */
function keep(job: Job, { failure }: StepEnd): void {
  job.opts.removeOnComplete = KEPT;
  job.opts.removeOnFail = KEPT;
  if (failure !== undefined) throw Object.assign(new UnrecoverableError(failure), { stack: '' });
}

/** BullMQ's worker, which says when it looks for a job: by a command that waits for one, or by one that takes one. */
export class WatchedWorker extends Worker {
  /** Set it before the worker runs. */
  onLook: () => void = () => undefined;

  protected override getBlockTimeout(blockUntil: number): number {
    this.onLook();
    return super.getBlockTimeout(blockUntil);
  }

  protected override moveToActive(token: string, name?: string): Promise<Job> {
    this.onLook();
    return super.moveToActive(token, name);
  }
}
