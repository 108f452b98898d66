import type { Family } from '@mediagate/contracts';
import type { Statement } from '../../statement';

/** Of one family: its tasks that could be worked on now and are not. */
export interface DueBacklog {
  family: Family;
  tasks: number;
  /** How long the oldest of them has been due, or without the worker that died on it. */
  oldestSeconds: number;
}

/** Bounds what a backlog costs to look at: some 10 ms. What is due longest is always among them. */
export const MAX_COUNTED_DUE = 10_000;

/**
 * In the order of an index that holds open tasks alone. It has neither family nor lease, so that renewing a lease stays a
 * write in place; the rows are read for both.
 */
export const readDueBacklogs: Statement<[], DueBacklog> = {
  text: `
select d.family, count(*)::int as tasks, extract(epoch from now() - min(d.since))::float8 as "oldestSeconds"
from (
  select t.family, greatest(t.next_step_at, t.lease_until) as since from tasks t
  where t.status not in ('completed', 'failed') and t.next_step_at <= now()
    and (t.lease_until is null or t.lease_until < now())
  order by t.next_step_at limit ${MAX_COUNTED_DUE}
) d
group by d.family order by "oldestSeconds" desc`,
  values: () => [],
};
