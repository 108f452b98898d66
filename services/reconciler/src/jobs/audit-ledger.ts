import { auditNow, type Violation } from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import { Gauge, type Registry } from 'prom-client';
import type { Job } from '../job';

const MAX_LINES = 20;

export interface AuditOptions {
  logger: Logger;
  metrics: Registry;
  everyMs: number;
}

/**
 * Checks every invariant of the books and logs an error for each that is broken; it mends nothing. The number of violations
 * is NaN until the first audit and after a failed one: a stale zero would claim that all is well.
 */
export function auditLedger(database: Database, { logger, metrics, everyMs }: AuditOptions): Job {
  const violations = new Gauge({
    name: 'mediagate_audit_violations',
    help: 'Broken invariants found by the last audit; NaN: it failed, or none has run',
    registers: [metrics],
  });
  const lastSuccess = new Gauge({
    name: 'mediagate_audit_last_success_seconds',
    help: 'Unix time of the last audit that ran to its end; 0: none has',
    registers: [metrics],
  });
  violations.set(Number.NaN);

  async function auditOrUnknown(): Promise<Violation[]> {
    try {
      return await auditNow(database, null);
    } catch (error) {
      violations.set(Number.NaN);
      throw error;
    }
  }

  return {
    name: 'audit-ledger',
    everyMs,
    async run() {
      const found = await auditOrUnknown();
      violations.set(found.length);
      lastSuccess.setToCurrentTime();
      for (const { invariant, subject, detail } of found.slice(0, MAX_LINES)) {
        logger.error('audit.violation', { reason: invariant, detail: `${subject}: ${detail}` });
      }
      return { done: found.length, more: false };
    },
  };
}
