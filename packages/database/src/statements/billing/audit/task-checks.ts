import { type Check, idsByTheClock } from './check';

/** How the rows that belong to a task are found: one task at a time, or those of all tasks together. */
export interface Joins {
  /** From `touched k` to its task `t`, its reservation `r`, and the sums of its entries `e`. */
  cases: string;
  /** From a case `c` to its attempts `a`. */
  attempts: string;
  /** From a case `c` to its delivery `d`, if it has one. */
  deliveries: string;
}

/** The sums of a task's entries; `held` is null of a task without any. */
export const ENTRY_SUMS = `sum(amount_nano) filter (where kind = 'hold') as held,
      string_agg(kind, ' and ') filter (where kind in ('settle', 'refund')) as ended_by,
      sum(amount_nano) filter (where kind in ('settle', 'refund')) as ended_with,
      sum(amount_nano) filter (where kind = 'adjust') as adjusted`;

/** A row for each task of the relation `touched`, with all that is known of it. */
export function casesOf({ cases }: Joins): string {
  return `cases as materialized (
  select k.task_id, t.id as task, t.status, t.webhook is not null as has_webhook, t.cost_nano as task_cost, t.attempts_made,
    r.task_id as reservation, r.state, r.amount_nano, r.settled_nano, r.cost_nano, r.created_at as booked_at,
    e.held, e.ended_by, e.ended_with, e.adjusted
  from touched k
  ${cases}
)`;
}

/** The invariants of a task, its reservation and its entries. */
const MONEY_CHECKS: readonly Check[] = [
  {
    invariant: 'reservation: one hold entry of its amount',
    text: `select task_id, format('reserved %s, hold entries %s', amount_nano, coalesce(held::text, 'none'))
      from cases where reservation is not null and held is distinct from amount_nano`,
  },
  {
    invariant: 'reservation: resolved by one entry of the same kind and amount, or held with none',
    text: `select task_id, format('%s, entry %s %s', state, ended_by, ended_with)
      from cases where reservation is not null and not coalesce(case state when 'held' then ended_by is null
        when 'settled' then ended_by = 'settle' and ended_with = settled_nano
        else ended_by = 'refund' and ended_with = amount_nano end, false)`,
  },
  {
    invariant: 'refund by hand: within what its task was charged',
    text: `select task_id, format('refunded %s, charged %s', adjusted, coalesce(settled_nano, 0))
      from cases where adjusted not between 1 and coalesce(settled_nano, 0)`,
  },
  {
    invariant: 'task: completed if and only if settled, failed if and only if refunded',
    text: `select task_id, format('task %s, reservation %s', status, coalesce(state, 'missing'))
      from cases where task is not null
        and coalesce(state, '') <> case status when 'completed' then 'settled' when 'failed' then 'refunded' else 'held' end`,
  },
  {
    invariant: 'task: cost is what was settled',
    text: `select task_id, format('cost %s, settled %s', task_cost, settled_nano)
      from cases where reservation is not null and status in ('completed', 'failed')
        and task_cost is distinct from coalesce(settled_nano, 0)`,
  },
  idsByTheClock('cases'),
  {
    invariant: 'reservation: belongs to a task',
    text: `select task_id, 'no task' from cases where state = 'held' and task is null`,
  },
];

/** The invariants of single tasks, by the relation `cases`. */
export const taskChecks = ({ attempts, deliveries }: Joins): readonly Check[] => [
  ...MONEY_CHECKS,
  {
    invariant: 'task: its vendors charge what they charge for its attempts',
    text: `select c.task_id, format('cost %s, attempt %s %s', c.cost_nano, a.id, a.cost_nano)
      from cases c ${attempts}
      where a.number = c.attempts_made and c.reservation is not null and c.status in ('completed', 'failed') and case when c.cost_nano is null then a.cost_nano is not null
          and not exists (select from task_attempts e where e.task_id = c.task_id and e.state = 'refused' and e.cost_nano is null)
        else c.cost_nano is distinct from coalesce(a.cost_nano, case when a.state = 'refused' and a.usage is null then 0 end) + (
          select coalesce(sum(e.cost_nano), 0) from task_attempts e where e.task_id = c.task_id and e.state = 'refused' and e.id <> a.id) end`,
  },
  {
    invariant: 'task: one delivery if it ended with a webhook, none otherwise',
    text: `select c.task_id, format('%s, delivery %s', c.status, coalesce(d.id, 'missing'))
      from cases c ${deliveries}
      where c.task is not null and (d.id is not null) <> (c.status in ('completed', 'failed') and c.has_webhook)`,
  },
  {
    invariant: 'attempt: accepted means that its upstream id is known',
    text: `select a.id, a.state from cases c ${attempts}
      where a.state = 'accepted' and a.external_id is null`,
  },
  {
    invariant: 'attempt: none open on an ended task',
    text: `select a.id, format('%s on task %s', a.state, a.task_id)
      from cases c ${attempts}
      where a.state in ('starting', 'accepted') and c.status in ('completed', 'failed')`,
  },
];
