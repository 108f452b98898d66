import type { JsonObject } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { type ChangedRow, type ChangeRequest, noteOf, UNLESS_UNCHANGED, withNote } from '../identity/note';

/** Runs that are kept, the newest. */
const KEPT_RUNS = 1000;
/** A run that has begun and did not end within this is begun again: its process is gone. */
const LOST_AFTER = "interval '5 minutes'";

/** A run as its row says it, without what it found. Times as ISO 8601. */
export type AuditRunSnapshot = {
  id: string;
  requestedAt: string | null;
  requestedBy: string | null;
  startedAt: string | null;
};

const SNAPSHOT = `jsonb_build_object('id', r.id::text, 'requestedAt', r.requested_at, 'requestedBy', r.requested_by,
    'startedAt', r.started_at)`;

/**
 * Somebody asks for a run, which the reconciler makes within a second or two; where one is waiting or under way, it is that one, and
 * `before` is not null. No row: somebody else has asked at the same moment.
 */
export const requestAudit: Statement<[request: ChangeRequest], ChangedRow> = {
  text: withNote(
    `
open as materialized (
  select r.id, ${SNAPSHOT} as run from audit_runs r where r.ended_at is null order by r.id desc limit 1
),
requested as (
  insert into audit_runs as r (requested_at, requested_by) select now(), $2 where not exists (select from open)
  on conflict do nothing returning r.id, ${SNAPSHOT} as run
),
changed as (
  select 'audit_' || id as subject, null::jsonb as before, run as after from requested
  union all
  select 'audit_' || id, run, run from open
)`,
    UNLESS_UNCHANGED,
  ),
  values: (request) => [noteOf('audit.run', request), request.actor],
};

/** A run that this process makes; another claim of it ends this one. */
export interface AuditClaim {
  id: bigint;
  claim: number;
}

/** The oldest run that was asked for and nobody makes. */
export const claimAudit: Statement<[], AuditClaim> = {
  text: `
update audit_runs r set started_at = now(), claim = r.claim + 1
where r.id = (
  select w.id from audit_runs w
  where w.ended_at is null and (w.started_at is null or w.started_at < now() - ${LOST_AFTER})
  order by w.id limit 1 for update skip locked
)
returning r.id, r.claim`,
  values: () => [],
};

/** Adds a run that begins at once. */
export const beginAudit: Statement<[requestedBy: string], AuditClaim> = {
  text: `
insert into audit_runs (requested_at, requested_by, started_at, claim) values (now(), $1, now(), 1) returning id, claim`,
  values: (requestedBy) => [requestedBy],
};

/** Begins a run by the clock. No row: the last one began less than a pause ago, here or in another process, and was not lost. */
export const beginAuditByClock: Statement<[everyMs: number], AuditClaim> = {
  text: `
insert into audit_runs (started_at, claim)
select now(), 1 where not exists (
  select from audit_runs
  where requested_at is null and started_at > now() - make_interval(secs => $1::float8 / 1000)
    and (ended_at is not null or started_at > now() - ${LOST_AFTER}))
returning id, claim`,
  values: (everyMs) => [everyMs],
};

/** No row: the run was given to another auditor, who writes what it finds. */
export const endAudit: Statement<
  [claim: AuditClaim, found: { violations: readonly JsonObject[]; whole: boolean }],
  { id: bigint; endedAt: Date }
> = {
  text: `
with old as (delete from audit_runs where id <= $1 - ${KEPT_RUNS})
update audit_runs set ended_at = now(), violations = $3::jsonb, whole = $4 where id = $1 and claim = $2 and ended_at is null
returning id, ended_at as "endedAt"`,
  values: ({ id, claim }, { violations, whole }) => [id, claim, JSON.stringify(violations), whole],
};

/** Forgets a failed run by the clock, as another follows. A run that was asked for stays, and is begun again once it counts as lost. */
export const dropAudit: Statement<[claim: AuditClaim], { id: bigint }> = {
  text: `
delete from audit_runs where id = $1 and claim = $2 and ended_at is null and requested_at is null returning id`,
  values: ({ id, claim }) => [id, claim],
};
