import type { Logger } from '@mediagate/host';

/**
 * A repair that makes a crash harmless. A job works from database rows alone, may run twice and in several processes at
 * once, and takes a bounded batch each time.
 */
export interface Job {
  name: string;
  everyMs: number;
  /** Runs one batch and returns how many rows it changed; after `more` the next batch follows at once. */
  run(): Promise<{ done: number; more: boolean }>;
}

/** Repeats a job until the returned function is called, which resolves once the batch under way is done. */
export function keepRunning(job: Job, logger: Logger, onRun: (done: number) => void): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  async function runOnce(): Promise<void> {
    let pauseMs = job.everyMs;
    try {
      const { done, more } = await job.run();
      onRun(done);
      if (done > 0) logger.info('job.done', { job: job.name, count: done });
      if (more) pauseMs = 0;
    } catch (error) {
      logger.error('job.failed', { job: job.name, error });
    }
    if (!stopped) schedule(pauseMs);
  }

  function schedule(pauseMs: number): void {
    timer = setTimeout(() => {
      running = runOnce();
    }, pauseMs);
  }

  schedule(0);
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
