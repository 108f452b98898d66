import { Slots } from '@mediagate/concurrency';
import type { DeliveryJob } from '@mediagate/contracts';

/**
 * Deliveries of jobs that name several: at most so many are handled at once as the consumer takes jobs, so that a job may hold many
 * and the process does no more than before.
 */
export class DeliveriesInFlight {
  readonly #handle: (job: DeliveryJob) => Promise<void>;
  readonly #slots: Slots;
  #leaving = new AbortController();

  constructor(handle: (job: DeliveryJob) => Promise<void>, concurrency: number) {
    this.#handle = handle;
    this.#slots = new Slots(concurrency);
  }

  /** Ends once each of them has been handled, or was left. */
  async take(jobs: readonly DeliveryJob[]): Promise<void> {
    await Promise.all(jobs.map((job) => this.#takeOne(job)));
  }

  /** Those that wait for their turn are left to the reconciler: their rows say that they are due. */
  leave(): void {
    this.#leaving.abort();
    this.#leaving = new AbortController();
  }

  async #takeOne(job: DeliveryJob): Promise<void> {
    const release = this.#slots.tryTake() ?? (await this.#slots.take(this.#leaving.signal).catch(() => undefined));
    if (release === undefined) return;
    await this.#handle(job).finally(release);
  }
}
