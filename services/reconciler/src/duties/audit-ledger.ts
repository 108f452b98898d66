import { audit, type Violation } from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import { Gauge, type Registry } from 'prom-client';
import type { Duty } from '../duty';

const MAX_LINES = 20;

export interface AuditOptions {
  logger: Logger;
  metrics: Registry;
  everyMs: number;
}

/**
 * Checks every invariant of the books and shouts when one is broken; it mends nothing. While it cannot tell, because it has
 * not run yet or failed, the number of violations is NaN: an old zero would say that all is well.
 */
export function auditLedger(database: Database, { logger, metrics, everyMs }: AuditOptions): Duty {
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
      return await audit(database);
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
