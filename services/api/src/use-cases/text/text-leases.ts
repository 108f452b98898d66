import { keepEnd } from '@mediagate/billing';
import type { TaskId } from '@mediagate/contracts';
import type { StoppedTask, StopReason } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import type { RunTask } from '@mediagate/tasks';
import type { OpenText } from './open-texts';

/**
 * How long a lease lasts from the booking and from each renewal. With the reconciler's own wait after that, a dead process's texts end
 * within 30 s.
 */
export const TEXT_LEASE_MS = 15_000;
/** Two renewals may fail in a row. */
const RENEW_EVERY_MS = 4_000;

export interface TextLeasesDeps {
  /** Interval of renewals; default 4 s. */
  everyMs?: number | undefined;
  /** The booked and unsettled texts of this process. */
  inFlight(): readonly RunningText[];
  /** Renews the leases of the texts; returns those that are to be stopped. */
  renew(texts: readonly RunTask[], leaseMs: number): Promise<readonly StoppedTask[]>;
  stop(id: TaskId, why: StopReason): void;
  logger: Logger;
}

type RunningText = Pick<OpenText, 'taskId' | 'endNow'>;

/**
 * Keeps the leases of the texts that this process runs, all in one statement. Those that began since the last time have
 * most of theirs left, so that a text of a few seconds costs nothing here. A renewal takes along what each has used, for whoever
 * ends it if this process dies, and tells which are cancelled or no longer this process's.
 */
export function keepTextLeases({ everyMs = RENEW_EVERY_MS, ...deps }: TextLeasesDeps): { stop(): void } {
  const { inFlight, renew, stop, logger } = deps;
  let before = new Set<TaskId>();

  async function renewAll(): Promise<void> {
    const all = inFlight();
    const due = all.filter(({ taskId }) => before.has(taskId));
    before = new Set(all.map(({ taskId }) => taskId));
    if (due.length === 0) return;
    try {
      for (const { id, why } of await renew(due.map(toRenew), TEXT_LEASE_MS)) stop(id, why);
    } catch (error) {
      // While the database is away nobody else gets at them either, and once it is back there is time for one more renewal.
      logger.warn('text.leases_not_renewed', { count: due.length, error });
    }
  }

  const toRenew = (text: RunningText): RunTask => ({
    taskId: text.taskId,
    keptEnd() {
      try {
        const end = text.endNow();
        return end === undefined ? null : keepEnd(end);
      } catch (error) {
        // A fault of one text: the leases of all others are in the same statement.
        logger.error('text.end_not_kept', { taskId: text.taskId, error });
        return null;
      }
    },
  });

  const timer = setInterval(() => void renewAll(), everyMs);
  return { stop: () => clearInterval(timer) };
}
