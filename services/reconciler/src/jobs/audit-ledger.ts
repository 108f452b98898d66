import { auditByClock, auditOnRequest } from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import { Gauge, type Registry } from 'prom-client';
import { type Job, MAX_AUDIT_MS, readOr } from '../job';

const MAX_LINES = 20;

interface AuditOptions {
  logger: Logger;
  metrics: Registry;
  everyMs: number;
}

/**
 * Audits the books and logs an error for each broken invariant; it mends nothing. One process makes the audit, all report it. The number
 * of violations is NaN until the first audit and after a failed one: a stale zero would claim that all is well.
 */
export function auditLedger(database: Database, { logger, metrics, everyMs }: AuditOptions): Job {
  const { violations, lastSuccess, lastClean } = openGauges(metrics);
  const forget = () => violations.set(Number.NaN);
  forget();
  return {
    name: 'audit-ledger',
    everyMs,
    batchLimitMs: MAX_AUDIT_MS,
    async run() {
      const last = await readOr(forget, auditByClock(database, { everyMs }));
      if (!last?.endedAt) return { done: 0, more: false };
      const found = last.violations;
      const endedAt = last.endedAt.getTime() / 1000;
      violations.set(found.length);
      for (const time of lastSuccess) time.set(endedAt);
      if (found.length === 0) lastClean.set(endedAt);
      for (const { invariant, subject, detail } of found.slice(0, MAX_LINES)) {
        logger.error('audit.violation', { reason: invariant, detail: `${subject}: ${detail}` });
      }
      return { done: found.length, more: false };
    },
  };
}

function openGauges(metrics: Registry) {
  const violations = openGauge(
    metrics,
    'mediagate_audit_violations',
    'Broken invariants found by the last audit; NaN: it failed, or none has run',
  );
  // The second name is the former one, reported for one more release.
  const lastSuccess = ['mediagate_audit_last_success_timestamp_seconds', 'mediagate_audit_last_success_seconds'].map(
    (name) => openGauge(metrics, name, 'Unix time of the last audit that ran to its end; 0: none has'),
  );
  const lastClean = openGauge(
    metrics,
    'mediagate_audit_last_clean_timestamp_seconds',
    'Unix time of the last audit that found nothing; 0: none has',
  );
  return { violations, lastSuccess, lastClean };
}

function openGauge(metrics: Registry, name: string, help: string): Gauge {
  return new Gauge({ name, help, registers: [metrics] });
}

/** Makes the audits that operators ask for. Their results are for who asked: gauges and log lines are those of the clock's audits. */
export function auditRequested(database: Database): Job {
  return {
    name: 'audit-on-request',
    everyMs: 1000,
    batchLimitMs: MAX_AUDIT_MS,
    async run() {
      const found = await auditOnRequest(database);
      return { done: found === undefined ? 0 : 1, more: found !== undefined };
    },
  };
}
