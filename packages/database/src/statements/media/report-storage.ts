import type { Statement } from '../../statement';

/** A place that a process cannot write to, and why. */
export interface ReportedFault {
  place: string;
  kind: string;
}

/**
 * Reports the places that a process cannot write to: after each look while one fails, and once when none fails any more. Reports of
 * processes that have ended are deleted after ten minutes.
 */
export const reportStorage: Statement<[processId: string, faults: readonly ReportedFault[]], never> = {
  text: `
with gone as (
  delete from storage_faults f
  where (f.process_id = $1 and f.place <> all($2::text[])) or f.seen_at < now() - interval '10 minutes'
)
insert into storage_faults as f (process_id, place, kind)
select $1, u.place, u.kind from unnest($2::text[], $3::text[]) as u(place, kind)
on conflict (process_id, place) do update set kind = excluded.kind, seen_at = now()`,
  values: (processId, faults) => [processId, faults.map(({ place }) => place), faults.map(({ kind }) => kind)],
};
