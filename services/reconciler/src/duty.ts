import type { Logger } from '@mediagate/host';

/**
 * Something that makes a crash harmless. A duty works from database rows alone, may run twice and in several processes at
 * once, and takes a bounded bite each time.
 */
export interface Duty {
  name: string;
  everyMs: number;
  /** Returns how much it did; a full bite is followed by the next one at once. */
  run(): Promise<{ done: number; more: boolean }>;
}

/** Keeps a duty running until it is stopped; resolves once the bite in hand is done. */
export function keepRunning(duty: Duty, logger: Logger, onRun: (done: number) => void): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let inHand = Promise.resolve();

  async function bite(): Promise<void> {
    let pauseMs = duty.everyMs;
    try {
      const { done, more } = await duty.run();
      onRun(done);
      if (done > 0) logger.info('duty.done', { duty: duty.name, count: done });
      if (more) pauseMs = 0;
    } catch (error) {
      logger.error('duty.failed', { duty: duty.name, error });
    }
    if (!stopped) schedule(pauseMs);
  }

  function schedule(pauseMs: number): void {
    timer = setTimeout(() => {
      inHand = bite();
    }, pauseMs);
  }

  schedule(0);
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await inHand;
  };
}
