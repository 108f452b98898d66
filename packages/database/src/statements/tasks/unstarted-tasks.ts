import type { Statement } from '../../statement';
import { afterMs } from './after-ms';
import type { OwnedClaim } from './claim';

/**
 * Takes tasks whose time to begin is over, and of which no attempt has begun, from whoever holds them: none can begin any more,
 * and nobody can claim them before the lease lapses. Passes over rows that somebody has locked, who may just be beginning one.
 */
export const takeOverUnstartedTasks: Statement<[limit: number, leaseMs: number], OwnedClaim> = {
  text: `
with late as materialized (
  select t.id from tasks t
  where t.start_by <= now() and t.status not in ('completed', 'failed')
  order by t.start_by limit $1 for update skip locked
)
update tasks t set fence = next_fence(fence), lease_until = ${afterMs('$2')} from late where t.id = late.id
returning t.id, t.fence, t.account_id as "accountId"`,
  values: (limit, leaseMs) => [limit, leaseMs],
};
