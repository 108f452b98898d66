import { closeNextMonth, pruneBooks } from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import type { Job } from '../job';

const EVERY_MS = 60_000;

/**
 * Closes the months of the ledger that have ended, and removes entries and reservations of tasks from those that ended so many months ago.
 * Undefined: months are closed by command, and nothing is removed. What a month waits for is logged once.
 */
export function closeBooks(
  database: Pick<Database, 'beginMonth' | 'closeMonth' | 'pruneBooks' | 'sealMonth'>,
  { logger, retentionMonths }: { logger: Logger; retentionMonths: number | undefined },
): Job {
  const logged = new Set<string>();
  const logOnce = (month: string, obstacle: { reason: string; taskId?: string }) => {
    const key = `${month} ${obstacle.reason}`;
    if (!logged.has(key)) logger.warn('books.waits', { ...obstacle, detail: month });
    logged.add(key);
  };
  return {
    name: 'close-books',
    everyMs: EVERY_MS,
    async run() {
      if (retentionMonths === undefined) return { done: 0, more: false };
      const step = await closeNextMonth(database);
      if (step.kind === 'closed') logger.info('books.closed', { detail: step.month, digest: step.digest });
      if (step.kind !== 'waits' && step.kind !== 'none') return { done: 1, more: true };
      if (step.kind === 'waits' && step.obstacle !== 'too_early') logOnce(step.month, { reason: step.obstacle });
      const pruned = await pruneBooks(database, { retentionMonths });
      if (pruned.kind === 'waits') logOnce(pruned.month, { reason: pruned.obstacle, taskId: pruned.taskId });
      return pruned.kind === 'removed' ? { done: pruned.entries, more: true } : { done: 0, more: false };
    },
  };
}
