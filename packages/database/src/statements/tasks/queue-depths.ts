import type { Family } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { IS_WATCHED, isUndispatched } from './waiting-tasks';

/** One family's tasks that have not ended. */
export interface QueueDepth {
  family: Family;
  /** Tasks that nobody has begun. */
  waiting: number;
  running: number;
  /** Waiting tasks whose key has no slot for them. */
  awaitingKeySlot: number;
  /** When the next step of a running task is due; null: none is to come. */
  nextDueAt: Date | null;
}

/** Waiting and running tasks counted of each family: this bounds the cost of a backlog to some 10 ms. */
const MAX_COUNTED_TASKS = 10_000;

/** Counts by two narrow indexes: tasks that wait for the dispatcher, and tasks that are enqueued or under way. */
export const readQueueDepths: Statement<[families: readonly Family[]], QueueDepth> = {
  text: `
select w.family, least(u.tasks + v.enqueued, ${MAX_COUNTED_TASKS})::int as waiting, v.running::int as running, v.awaiting::int as "awaitingKeySlot",
  (
    select t.next_step_at from tasks t
    where t.family = w.family and ${IS_WATCHED} and t.next_step_at > now() and t.status <> 'submitted' and not t.run_by_submitter
    order by t.next_step_at limit 1
  ) as "nextDueAt"
from unnest($1::text[]) as w(family)
cross join lateral (
  select count(*) as tasks from (
    select from tasks t where t.family = w.family and ${isUndispatched('t')}
    order by t.account_id, t.next_step_at limit ${MAX_COUNTED_TASKS}
  ) d
) u
cross join lateral (
  select count(*) filter (where d.status = 'submitted') as enqueued, count(*) filter (where d.status <> 'submitted') as running,
    count(*) filter (where d.awaits_key_slot) as awaiting
  from (
    -- Tasks that await a slot of their key are due last.
    select t.status, t.awaits_key_slot from tasks t where t.family = w.family and ${IS_WATCHED} order by t.next_step_at limit ${MAX_COUNTED_TASKS}
  ) d
) v`,
  values: (families) => [families],
};

/** An account's tasks that have not ended. */
export interface AccountBacklog {
  accountId: string;
  waiting: number;
  running: number;
}

/** Accounts of a family, by id, whose tasks that wait for the dispatcher are counted. */
const COUNTED_ACCOUNTS = 256;
const COUNTED_OF_EACH = 1000;

/** The ten accounts with the most open tasks, among those that can be counted in some 10 ms a family. */
export const readAccountBacklogs: Statement<[families: readonly Family[]], AccountBacklog> = {
  text: `
select c.account_id as "accountId", sum(c.waiting)::int as waiting, sum(c.running)::int as running
from unnest($1::text[]) as w(family)
cross join lateral (
  with recursive visit as (
    (${nextAccount('true')})
    union all
    select n.account_id, v.place + 1 from visit v cross join lateral (${nextAccount('x.account_id > v.account_id')}) n
    where v.place < ${COUNTED_ACCOUNTS}
  )
  select v.account_id, (
    select count(*) from (
      select from tasks t where t.family = w.family and t.account_id = v.account_id and ${isUndispatched('t')}
      order by t.next_step_at limit ${COUNTED_OF_EACH}
    ) d
  ) as waiting, 0 as running
  from visit v
  union all
  select d.account_id, count(*) filter (where d.status = 'submitted'), count(*) filter (where d.status <> 'submitted')
  from (
    select t.account_id, t.status from tasks t where t.family = w.family and ${IS_WATCHED} order by t.next_step_at limit ${MAX_COUNTED_TASKS}
  ) d
  group by d.account_id
) c
group by c.account_id order by sum(c.waiting + c.running) desc, c.account_id limit 10`,
  values: (families) => [families],
};

function nextAccount(condition: string): string {
  return `select x.account_id, 1 as place from tasks x where x.family = w.family and ${isUndispatched('x')} and ${condition}
      order by x.account_id, x.next_step_at limit 1`;
}
