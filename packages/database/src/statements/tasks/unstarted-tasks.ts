import type { TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { afterMs } from './after-ms';
import type { Claim } from './claim';
import { IS_OPEN } from './task-row';

/** Tasks whose time to begin is over, and of which no attempt has begun. */
export const findUnstartedTasks: Statement<[limit: number], { id: TaskId }> = {
  text: `
select t.id from tasks t
where t.start_by <= now() and t.status not in ('completed', 'failed')
order by t.start_by limit $1`,
  values: (limit) => [limit],
};

/**
 * Takes those tasks from whoever holds them, unless an attempt has begun meanwhile: it cannot begin any more, and nobody can
 * claim them before the lease lapses.
 */
export const takeOverUnstartedTasks: Statement<[ids: readonly TaskId[], leaseMs: number], Claim> = {
  text: `
update tasks set fence = fence + 1, lease_until = ${afterMs('$2')} where id in (
  select t.id from tasks t where t.id = any($1::text[]) and t.start_by <= now() and ${IS_OPEN}
  order by t.id for update)
returning id, fence`,
  values: (ids, leaseMs) => [ids, leaseMs],
};
