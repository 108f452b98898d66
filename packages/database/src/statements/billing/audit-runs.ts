import type { JsonObject } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { type ChangedRow, type ChangeRequest, noteOf, withNote } from '../operators/note';

/** The newest that are kept. */
const KEPT_RUNS = 1000;
/** A run that has begun and did not end within this is begun again: its process is gone. */
const LOST_AFTER = "interval '5 minutes'";

/** Somebody asks for a run; the reconciler makes it within a second or two. */
export const requestAudit: Statement<[request: ChangeRequest], ChangedRow> = {
  text: withNote(`
requested as (
  insert into audit_runs (requested_at) values (now()) returning id
),
changed as (
  select 'audit_' || id as subject, null::jsonb as before, jsonb_build_object('id', id::text) as after from requested
)`),
  values: (request) => [noteOf('audit.run', request)],
};

/** The oldest run that was asked for and nobody makes. */
export const claimAudit: Statement<[], { id: bigint }> = {
  text: `
update audit_runs r set started_at = now()
where r.id = (
  select w.id from audit_runs w
  where w.ended_at is null and (w.started_at is null or w.started_at < now() - ${LOST_AFTER})
  order by w.id limit 1 for update skip locked
)
returning r.id`,
  values: () => [],
};

/** One by the clock. */
export const beginAudit: Statement<[], { id: bigint }> = {
  text: 'insert into audit_runs (started_at) values (now()) returning id',
  values: () => [],
};

export const endAudit: Statement<[id: bigint, violations: readonly JsonObject[]], { id: bigint }> = {
  text: `
with old as (delete from audit_runs where id <= $1 - ${KEPT_RUNS})
update audit_runs set ended_at = now(), violations = $2::jsonb where id = $1 returning id`,
  values: (id, violations) => [id, JSON.stringify(violations)],
};
