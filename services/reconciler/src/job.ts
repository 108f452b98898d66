import type { Logger, Scope } from '@mediagate/host';
import { Counter } from 'prom-client';

/**
 * A repair that makes a crash harmless. A job works from database rows alone, may run twice and in several processes at
 * once, and takes a bounded batch each time.
 */
export interface Job {
  name: string;
  everyMs: number;
  /** Runs one batch and returns how many rows it changed; after `more` the next batch follows at once. */
  run(): Promise<{ done: number; more: boolean }>;
  /** Longest time that a batch may take; default: ten minutes, many times what its statements may. */
  batchLimitMs?: number;
  /** Called once the job is stopped, and its last batch done. */
  close?(): Promise<void>;
}

/** A job of one process at a time, by a lease. */
export interface LeasedJob extends Job {
  /** Gives the lease back, so that another process need not wait for its end. */
  close(): Promise<void>;
}

/** Waits for a reading. Where it fails, `forget` drops what was known before: a stale figure would claim that all is well. */
export async function readOr<Reading>(forget: () => void, reading: Promise<Reading>): Promise<Reading> {
  return reading.catch((error: unknown) => {
    forget();
    throw error;
  });
}

/** Books of 100 million entries that were never sealed take some hours. */
export const MAX_AUDIT_MS = 24 * 3_600_000;
/** A storage that does not answer has each object's removal wait for some minutes. */
export const MAX_REMOVALS_MS = 3_600_000;
const BATCH_LIMIT_MS = 600_000;
/** A job whose batches are so many pauses apart, the longest batch aside, has stopped. */
const MAX_PAUSES = 3;

/** The time between two lines about a job that fails each time. */
const REPORT_MS = 30_000;

/** Logs the first failure, and those that follow it together: after a while, or once there are no more of them. */
class Failures {
  readonly #report: (error: unknown, count: number) => void;
  #count = 0;
  #last: unknown;
  #reportAt = 0;

  constructor(report: (error: unknown, count: number) => void) {
    this.#report = report;
  }

  add(error: unknown): void {
    this.#count += 1;
    this.#last = error;
    if (performance.now() < this.#reportAt) return;
    this.#reportAll();
    this.#reportAt = performance.now() + REPORT_MS;
  }

  end(): void {
    if (this.#count > 0) this.#reportAll();
    this.#reportAt = 0;
  }

  #reportAll(): void {
    this.#report(this.#last, this.#count);
    this.#count = 0;
    this.#last = undefined;
  }
}

interface RunOptions {
  logger: Logger;
  onRun(done: number): void;
  /** Milliseconds of a clock that never goes back. Default: the process's. */
  now?(): number;
}

/** Repeats a job until it is stopped. */
export class RunningJob {
  readonly #job: Job;
  readonly #options: RunOptions;
  readonly #now: () => number;
  readonly #failures: Failures;
  readonly #silenceLimitMs: number;
  #endedAt: number;
  #running = Promise.resolve();
  #timer: NodeJS.Timeout;
  #stopped = false;

  constructor(job: Job, options: RunOptions) {
    const { logger, now = () => performance.now() } = options;
    this.#job = job;
    this.#options = options;
    this.#now = now;
    this.#failures = new Failures((error, count) => logger.error('job.failed', { job: job.name, count, error }));
    this.#silenceLimitMs = MAX_PAUSES * job.everyMs + (job.batchLimitMs ?? BATCH_LIMIT_MS);
    this.#endedAt = now();
    this.#timer = this.#schedule(0);
  }

  /** Takes no further batch, and resolves once the one under way is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
    this.#failures.end();
    await this.#job.close?.();
  }

  /** False: a batch never ended, or none followed. One that fails has ended, so that no outage is a reason. */
  isAlive(): boolean {
    return this.#stopped || this.#now() - this.#endedAt < this.#silenceLimitMs;
  }

  #schedule(pauseMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#running = this.#runAndSchedule();
    }, pauseMs);
  }

  async #runAndSchedule(): Promise<void> {
    const pauseMs = await this.#runOnce();
    this.#endedAt = this.#now();
    if (!this.#stopped) this.#timer = this.#schedule(pauseMs);
  }

  /** Returns the pause until the next batch. */
  async #runOnce(): Promise<number> {
    const { name, everyMs } = this.#job;
    try {
      const { done, more } = await this.#job.run();
      this.#options.onRun(done);
      this.#failures.end();
      if (done > 0) this.#options.logger.info('job.done', { job: name, count: done });
      return more ? 0 : everyMs;
    } catch (error) {
      this.#failures.add(error);
      return everyMs;
    }
  }
}

/** Repeats each job until the process drains. One whose end fails keeps no other from ending. */
export function runJobs(scope: Scope, jobs: readonly Job[]): void {
  const rows = new Counter({
    name: 'mediagate_job_rows_total',
    help: 'Rows that a job of the reconciler changed',
    registers: [scope.metrics],
    labelNames: ['job'],
  });
  for (const job of jobs) {
    const { name } = job;
    const running = new RunningJob(job, { logger: scope.logger, onRun: (count) => rows.inc({ job: name }, count) });
    scope.addLivenessCheck(name, () => running.isAlive());
    scope.onDrain(name, () => running.stop());
  }
}
