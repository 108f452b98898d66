import type { DeliveryJob } from '@mediagate/contracts';

/**
 * Deliveries of jobs that name several: at most so many are handled at once as the consumer takes jobs, so that a job may hold many
 * and the process does no more than before. Thousands may wait, so none waits by a listener of a signal that all share: each would be
 * compared with all others.
 */
export class DeliveriesInFlight {
  readonly #handle: (job: DeliveryJob) => Promise<void>;
  /** In the order in which they came. */
  readonly #waiting = new Set<(hasSlot: boolean) => void>();
  #free: number;

  constructor(handle: (job: DeliveryJob) => Promise<void>, concurrency: number) {
    this.#handle = handle;
    this.#free = concurrency;
  }

  /** Ends once each of them has been handled, or was left. */
  async take(jobs: readonly DeliveryJob[]): Promise<void> {
    await Promise.all(jobs.map((job) => this.#takeOne(job)));
  }

  /** Those that wait for their turn are left to the reconciler: their rows say that they are due. */
  leave(): void {
    const left = [...this.#waiting];
    this.#waiting.clear();
    for (const end of left) end(false);
  }

  async #takeOne(job: DeliveryJob): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else if (!(await this.#turn())) return;
    await this.#handle(job).finally(() => this.#passOn());
  }

  #turn(): Promise<boolean> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  /** Of a slot. */
  #passOn(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next(true);
  }
}
