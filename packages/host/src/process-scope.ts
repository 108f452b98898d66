import { Registry } from 'prom-client';
import type { Logger } from './logger';
import type { Scope } from './scope';

const CLOSE_TIMEOUT_MS = 5000;

interface Step {
  name: string;
  run(): Promise<void> | void;
}

/** What a process, or a test in its place, has opened, and how each part of it ends. Knows nothing of signals and exit codes. */
export class ProcessScope implements Scope {
  readonly metrics = new Registry();
  readonly checks = new Map<string, () => Promise<void>>();
  readonly logger: Logger;
  readonly #drains: Step[] = [];
  readonly #closers: Step[] = [];
  readonly #reloads: { name: string; run: Parameters<Scope['onReload']>[1] }[] = [];
  readonly #claims: ((error: unknown) => boolean)[] = [];

  constructor(logger: Logger) {
    this.logger = logger;
  }

  addReadinessCheck(name: string, check: () => Promise<void>): void {
    this.checks.set(name, check);
  }

  onDrain(name: string, run: Step['run']): void {
    this.#drains.push({ name, run });
  }

  defer(name: string, run: Step['run']): void {
    this.#closers.push({ name, run });
  }

  onStrayError(claim: (error: unknown) => boolean): void {
    this.#claims.push(claim);
  }

  onReload(name: string, run: Parameters<Scope['onReload']>[1]): void {
    this.#reloads.push({ name, run });
  }

  /** True: the error belongs to one piece of work, and the process goes on. */
  claims(error: unknown): boolean {
    try {
      return this.#claims.some((claim) => claim(error));
    } catch (claimError) {
      this.logger.error('process.claim_failed', { error: claimError });
      return false;
    }
  }

  reload(): void {
    if (this.#reloads.length === 0) this.logger.info('settings.nothing_to_reload');
    for (const { name, run } of this.#reloads) {
      try {
        const fields = run();
        this.logger.info('settings.reloaded', { reason: name, ...fields });
      } catch (error) {
        this.logger.error('settings.refused', { reason: name, error });
      }
    }
  }

  async drain(): Promise<void> {
    await Promise.all(this.#drains.map((step) => this.#attempt(step)));
  }

  async close(): Promise<void> {
    for (const step of this.#closers.toReversed()) {
      if (!(await withinTime(this.#attempt(step), CLOSE_TIMEOUT_MS))) {
        this.logger.warn('process.close_cut', { reason: step.name });
      }
    }
  }

  async #attempt({ name, run }: Step): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.logger.error('process.close_failed', { reason: name, error });
    }
  }
}

/** False when the time ran out first; the work goes on unwatched and ends with the process. */
export async function withinTime(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  const inTime = await Promise.race([work.then(() => true as const), limit]);
  clearTimeout(timer);
  return inTime;
}
