import { type ClosingStep, closeNextMonth, pruneBooks } from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import { Gauge, type Registry } from 'prom-client';
import { type Job, readOr } from '../job';

const EVERY_MS = 60_000;
/** Each may be in the way of a month that has ended. */
const OBSTACLES = ['tasks_open', 'not_audited', 'faults_found'] as const;

interface CloseBooksOptions {
  logger: Logger;
  metrics: Registry;
  /** Undefined: months are closed by command, and nothing is removed. */
  retentionMonths: number | undefined;
}

/**
 * Closes the months of the ledger that have ended, and removes entries and reservations of tasks from those that ended so many months ago.
 * The job logs once, and measures, why a month waits.
 */
export function closeBooks(
  database: Pick<Database, 'beginMonth' | 'closeMonth' | 'pruneBooks' | 'sealMonth'>,
  { logger, metrics, retentionMonths }: CloseBooksOptions,
): Job {
  const report = reporter(metrics);
  if (retentionMonths !== undefined) report(undefined);
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
      const step = await readOr(() => report(undefined), closeNextMonth(database));
      report(step);
      if (step.kind === 'closed') logger.info('books.closed', { detail: step.month, digest: step.digest });
      if (step.kind !== 'waits' && step.kind !== 'none') return { done: 1, more: true };
      if (step.kind === 'waits' && step.obstacle !== 'too_early') logOnce(step.month, { reason: step.obstacle });
      const pruned = await pruneBooks(database, { retentionMonths });
      if (pruned.kind === 'waits') logOnce(pruned.month, { reason: pruned.obstacle, taskId: pruned.taskId });
      return pruned.kind === 'removed' ? { done: pruned.entries, more: true } : { done: 0, more: false };
    },
  };
}

/** Measures what a step found; undefined: the step failed. */
function reporter(metrics: Registry): (step: ClosingStep | undefined) => void {
  const waits = new Gauge({
    name: 'mediagate_books_waiting',
    help: '1: a month that has ended cannot be closed for this reason (tasks_open, not_audited, faults_found); 0: none is kept open by it; NaN: not known; absent: BOOKS_RETENTION_MONTHS is not set',
    labelNames: ['reason'],
    registers: [metrics],
  });
  return (step) => {
    const obstacle = step?.kind === 'waits' ? step.obstacle : undefined;
    for (const reason of OBSTACLES) waits.set({ reason }, step ? Number(reason === obstacle) : Number.NaN);
  };
}
