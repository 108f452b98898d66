import type { Family } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { IS_WATCHED, isUndispatched } from './waiting-tasks';

/** One family's tasks that could be worked on now and are not. */
export interface DueBacklog {
  family: Family;
  tasks: number;
  /** How long the oldest of them has been due, or without the worker that died on it. */
  oldestSeconds: number;
}

/** Tasks counted of each family: this bounds the cost of looking at a backlog to some 10 ms. */
export const MAX_COUNTED_DUE = 10_000;
/** Accounts among whose oldest tasks the oldest is looked for, each by one probe of an index. */
const MAX_ACCOUNTS = 1000;
const IS_DUE = 't.next_step_at <= now() and (t.lease_until is null or t.lease_until < now())';

/** Reads the backlogs of those families that have one, the longest due first. */
export const readDueBacklogs: Statement<[families: readonly Family[]], DueBacklog> = {
  text: `
select w.family, (u.tasks + v.tasks)::int as tasks,
  extract(epoch from now() - coalesce(least(o.since, v.since), now()))::float8 as "oldestSeconds"
from unnest($1::text[]) as w(family)
cross join lateral (
  select count(*) as tasks from (
    select from tasks t where t.family = w.family and ${isUndispatched('t')} and ${IS_DUE}
    order by t.account_id, t.next_step_at limit ${MAX_COUNTED_DUE}
  ) d
) u
cross join lateral (
  with recursive visit as (
    (select t.account_id, t.next_step_at, t.lease_until, 1 as place from tasks t
     where t.family = w.family and ${isUndispatched('t')} order by t.account_id, t.next_step_at limit 1)
    union all
    select n.account_id, n.next_step_at, n.lease_until, v.place + 1
    from visit v
    cross join lateral (
      select t.account_id, t.next_step_at, t.lease_until from tasks t
      where t.family = w.family and ${isUndispatched('t')} and t.account_id > v.account_id
      order by t.account_id, t.next_step_at limit 1
    ) n
    where v.place < ${MAX_ACCOUNTS}
  )
  select min(t.next_step_at) as since from visit t where ${IS_DUE}
) o
cross join lateral (
  select count(*) as tasks, min(d.since) as since from (
    select greatest(t.next_step_at, t.lease_until) as since from tasks t
    where t.family = w.family and ${IS_WATCHED} and ${IS_DUE}
    order by t.next_step_at limit ${MAX_COUNTED_DUE}
  ) d
) v
where u.tasks + v.tasks > 0
order by "oldestSeconds" desc`,
  values: (families) => [families],
};
