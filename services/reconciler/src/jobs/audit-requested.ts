import { auditOnRequest } from '@mediagate/billing';
import type { Database } from '@mediagate/database';
import { type Job, MAX_AUDIT_MS } from '../job';

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
