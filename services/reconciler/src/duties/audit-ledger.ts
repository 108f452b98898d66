import { audit } from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import type { Gauge } from 'prom-client';
import type { Duty } from '../duty';

const MAX_LINES = 20;

/** Checks every invariant of the books and shouts when one is broken; it mends nothing. */
export function auditLedger(database: Database, logger: Logger, violations: Gauge, everyMs: number): Duty {
  return {
    name: 'audit-ledger',
    everyMs,
    async run() {
      const found = await audit(database);
      violations.set(found.length);
      for (const { invariant, subject, detail } of found.slice(0, MAX_LINES)) {
        logger.error('audit.violation', { reason: invariant, detail: `${subject}: ${detail}` });
      }
      return { done: found.length, more: false };
    },
  };
}
