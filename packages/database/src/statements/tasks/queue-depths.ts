import type { Family } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { IS_WATCHED, isUndispatched } from './waiting-tasks';

/** One family's tasks that have not ended. */
export interface QueueDepth {
  family: Family;
  /** Tasks that nobody has begun. */
  waiting: number;
  running: number;
  /** When the next step of a running task is due; null: none is to come. */
  nextDueAt: Date | null;
}

/** Waiting and running tasks counted of each family: this bounds the cost of a backlog to some 10 ms. */
const MAX_COUNTED_TASKS = 10_000;

/** Counts by two narrow indexes: tasks that wait for the dispatcher, and tasks that are enqueued or under way. */
export const readQueueDepths: Statement<[families: readonly Family[]], QueueDepth> = {
  text: `
select w.family, least(u.tasks + v.enqueued, ${MAX_COUNTED_TASKS})::int as waiting, v.running::int as running,
  (
    select t.next_step_at from tasks t
    where t.family = w.family and ${IS_WATCHED} and t.next_step_at > now() and t.status <> 'submitted' and not t.run_by_submitter
    order by t.next_step_at limit 1
  ) as "nextDueAt"
from unnest($1::text[]) as w(family)
cross join lateral (
  select count(*) as tasks from (
    select from tasks t where t.family = w.family and ${isUndispatched('t')} limit ${MAX_COUNTED_TASKS}
  ) d
) u
cross join lateral (
  select count(*) filter (where d.status = 'submitted') as enqueued, count(*) filter (where d.status <> 'submitted') as running
  from (
    -- Those that await a slot of their key are due last.
    select t.status from tasks t where t.family = w.family and ${IS_WATCHED} order by t.next_step_at limit ${MAX_COUNTED_TASKS}
  ) d
) v`,
  values: (families) => [families],
};
