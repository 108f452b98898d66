import type { Statement } from '../../statement';
import { OPERATORS, type Watched, watchFor } from './watch-for';

/**
 * Places that some process has not been able to write to for half a minute, as the processes report it every few seconds while it is so.
 * One that is silent has ended, or works again.
 */
export const watchStorage: Statement<[], Watched> = {
  text: watchFor(
    'storage_failing',
    `
holds as materialized (
  select '${OPERATORS}' as owner, f.place as subject, null::text as account_id, 0 as level, min(f.since) as since,
    jsonb_build_object('fault', mode() within group (order by f.kind), 'processes', count(*)) as figures
  from storage_faults f where f.seen_at > now() - interval '30 seconds' group by f.place
  having min(f.since) <= now() - interval '30 seconds'
)`,
  ),
  values: () => [],
};
