import { type JsonObject, unixSecondsOrNull } from '@mediagate/contracts';
import type { AuditRun } from './audit';

export function describeAudit(run: AuditRun): JsonObject {
  const { id, requestedAt, requestedBy, startedAt, endedAt, whole, violations } = run;
  return {
    id: `audit_${id}`,
    state: endedAt ? 'ended' : startedAt ? 'running' : 'waiting',
    requested_at: unixSecondsOrNull(requestedAt),
    requested_by: requestedBy,
    started_at: unixSecondsOrNull(startedAt),
    ended_at: unixSecondsOrNull(endedAt),
    whole,
    clean: endedAt ? violations.length === 0 : null,
    violations: violations.map(({ invariant, subject, detail }) => ({ invariant, subject, detail })),
  };
}
