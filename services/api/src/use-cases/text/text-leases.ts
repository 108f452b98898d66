import type { TaskId } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';

/** From the booking, and from each renewal. With what the reconciler waits beyond it, a dead process's texts end within 30 s. */
export const TEXT_LEASE_MS = 15_000;
/** Two renewals may fail in a row. */
const RENEW_EVERY_MS = 4_000;

export interface TextLeasesDeps {
  /** The booked and unsettled texts of this process. */
  inFlight(): readonly TaskId[];
  /** Those that are to be cancelled. */
  renew(ids: readonly TaskId[], leaseMs: number): Promise<readonly TaskId[]>;
  cancel(id: TaskId): void;
  logger: Logger;
}

/**
 * Keeps the leases of the texts that this process runs, all in one statement. Those that began since the last time have
 * most of theirs left, so that a text of a few seconds costs nothing here. A renewal also tells which are to be cancelled.
 */
export function keepTextLeases({ inFlight, renew, cancel, logger }: TextLeasesDeps): { stop(): void } {
  let before = new Set<TaskId>();

  async function renewAll(): Promise<void> {
    const all = inFlight();
    const due = all.filter((id) => before.has(id));
    before = new Set(all);
    if (due.length === 0) return;
    try {
      for (const id of await renew(due, TEXT_LEASE_MS)) cancel(id);
    } catch (error) {
      // While the database is away nobody else gets at them either, and once it is back there is time for one more renewal.
      logger.warn('text.leases_not_renewed', { count: due.length, error });
    }
  }

  const timer = setInterval(() => void renewAll(), RENEW_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
