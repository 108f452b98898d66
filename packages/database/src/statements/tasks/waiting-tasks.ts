import type { Family, TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { IS_OPEN, SHOWN_COLUMNS, type ShownTask } from './task-row';

// `is not true` keeps both to an index of their own, and so does an order by that index's columns: no other one matches, whatever the
// planner believes of how few rows there are.

/** Whether the row `alias` is submitted, and nobody but perhaps the API has enqueued it. The index `tasks_undispatched` has such rows. */
export const isUndispatched = (alias: string) =>
  `(${alias}.status <> 'submitted' or ${alias}.woken_at is not null) is not true`;

/** Whether the row is open, and not for the dispatcher to enqueue. The index `tasks_watched` has such rows. */
export const IS_WATCHED = `${IS_OPEN} and (t.status = 'submitted' and t.woken_at is null) is not true`;

/** Tasks that an account gets in one turn, by its priority class. */
const TURN_TASKS = { low: 1, normal: 3, high: 9 } as const;

const TURN = `case a.priority_class when 'high' then ${TURN_TASKS.high} when 'low' then ${TURN_TASKS.low} else ${TURN_TASKS.normal} end`;

/** Accounts that one look visits at most, each by one probe of an index. The next look goes on after them. */
const MAX_ACCOUNTS = 256;
/** Tasks that one look reads of all accounts beyond their fair shares, so that some can use what others leave of theirs. */
const SPARE_TASKS = 4000;

/** Where the turns of a family's accounts are to go on. */
export interface TurnPlace {
  /** The first account whose id is not below this one is next, and after the last comes the first. */
  fromAccountId: string;
  /** Tasks left of that account's turn; 0: the whole turn. */
  turnLeft: number;
}

export interface TurnsWanted extends TurnPlace {
  family: Family;
  /** Tasks at most. */
  limit: number;
}

export interface WaitingTask extends ShownTask {
  id: TaskId;
  family: Family;
  fence: number;
  /** Tasks left of its account's turn after it. */
  turnLeft: number;
}

/**
 * Tasks that wait for the dispatcher and have not just been submitted, in turns: accounts by id, round and round, a turn each by
 * its priority class, the oldest tasks first. The accounts are walked by an index, so that a long backlog of one costs nothing.
 */
export const findWaitingTasks: Statement<[wanted: readonly TurnsWanted[], graceMs: number], WaitingTask> = {
  text: `
select c.* from unnest($1::text[], $2::int[], $3::text[], $4::int[]) as w(family, max_tasks, from_account_id, turn_left)
cross join lateral (
  with recursive visit as (
    select f.account_id, f.account_id as first_id, 1 as place
    from (select coalesce(${nextAccount('>= w.from_account_id')}, ${nextAccount(`>= ''`)}) as account_id) f
    where f.account_id is not null
    union all
    select n.account_id, v.first_id, v.place + 1
    from visit v
    cross join lateral (select coalesce(${nextAccount('> v.account_id')}, ${nextAccount(`>= ''`)}) as account_id) n
    where v.place < least(w.max_tasks, ${MAX_ACCOUNTS}) and n.account_id <> v.first_id
  ),
  turn as materialized (
    select v.place, a.id as account_id, ${TURN} as tasks, sum(${TURN}) over () as all_tasks, count(*) over () as accounts,
      case when v.place = 1 and a.id = w.from_account_id and w.turn_left > 0 then w.turn_left else ${TURN} end as first_tasks
    from visit v cross join lateral (select * from accounts where id = v.account_id offset 0) a
  )
  select x.*, w.family, (r.tasks_left)::int as "turnLeft"
  from turn u
  cross join lateral (
    select t.id, t.fence, ${SHOWN_COLUMNS}, row_number() over (order by t.next_step_at, t.id) as number
    from tasks t
    where t.family = w.family and t.account_id = u.account_id and ${isUndispatched('t')}
      and t.next_step_at <= now() - make_interval(secs => $5::float8 / 1000)
      and (t.lease_until is null or t.lease_until < now()) and t.deadline_at > now()
    order by t.next_step_at, t.id
    limit least(w.max_tasks, greatest(u.first_tasks + u.tasks * (w.max_tasks / u.all_tasks + 1), ${SPARE_TASKS} / u.accounts))
  ) x
  cross join lateral (
    select case when x.number <= u.first_tasks then 0 else (x.number - u.first_tasks - 1) / u.tasks + 1 end as round,
      case when x.number <= u.first_tasks then u.first_tasks - x.number
        else u.tasks - 1 - (x.number - u.first_tasks - 1) % u.tasks end as tasks_left
  ) r
  order by r.round, u.place, x.number limit w.max_tasks
) c`,
  values: (wanted, graceMs) => [
    wanted.map(({ family }) => family),
    wanted.map(({ limit }) => limit),
    wanted.map(({ fromAccountId }) => fromAccountId),
    wanted.map(({ turnLeft }) => turnLeft),
    graceMs,
  ],
};

function nextAccount(condition: string): string {
  return `(select x.account_id from tasks x where x.family = w.family and ${isUndispatched('x')}
      and x.account_id ${condition} order by x.account_id, x.next_step_at limit 1)`;
}
