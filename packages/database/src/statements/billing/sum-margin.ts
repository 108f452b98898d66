import type { Nano } from '@mediagate/contracts';
import { MAX_BIGINT, type Statement } from '../../statement';

/** What operators group usage by. */
export const MARGIN_GROUPS = ['day', 'vendor', 'channel', 'model', 'account', 'family', 'key'] as const;
export type MarginGroup = (typeof MARGIN_GROUPS)[number];

export interface MarginQuery {
  /** Tasks submitted from then on, */
  from: Date;
  /** and before then. */
  to: Date;
  /** Ids of tasks between which all of these are: they sort by the time they were made. */
  fromId: string;
  toId: string;
  groups: readonly MarginGroup[];
  /** Whose each channel is. */
  vendors: ReadonlyMap<string, string>;
  /** That are looked at: sums of as many tasks may be of a part. */
  maxTasks: number;
  maxGroups: number;
}

/** Of one group; what is not asked for is null. */
export type MarginRow = Record<MarginGroup, string | null> & {
  tasks: bigint;
  completed: bigint;
  failed: bigint;
  chargedNano: Nano;
  /** By hand, of what was charged. */
  refundedNano: Nano;
  /** What vendors charge, as far as it is known. */
  costNano: Nano;
  /** Ended tasks of whose cost nothing is known. */
  costUnknown: bigint;
};

const GROUP_VALUES: Readonly<Record<MarginGroup, string>> = {
  day: "(r.created_at at time zone 'UTC')::date",
  vendor: 'v.vendor',
  channel: 'r.channel_id',
  model: 'r.model',
  account: 'r.account_id',
  family: 'r.family',
  key: 'r.key_id',
};
const COLUMNS = MARGIN_GROUPS.map((name) => `case when '${name}' = any($7) then ${GROUP_VALUES[name]} end as ${name}`);
const PLACES = MARGIN_GROUPS.map((_, index) => index + 1).join(', ');
/** Days become text once they are groups. */
const READABLE = MARGIN_GROUPS.map((name) => (name === 'day' ? "to_char(g.day, 'YYYY-MM-DD') as day" : `g.${name}`));

/**
 * From the reservations but of test keys: there is one for each task, for good, with what it was settled for and what its vendor charges. The
 * primary key finds those of a time, and a narrow index what was refunded by hand.
 */
export const sumMargin: Statement<[query: MarginQuery], MarginRow> = {
  text: `
with refund as materialized (
  select l.task_id, l.amount_nano from ledger_entries l
  where l.kind = 'adjust' and l.task_id is not null and l.task_id >= $3 and l.task_id < $4
)
select ${READABLE.join(', ')}, g.tasks, g.completed, g.failed, g."chargedNano", g."refundedNano", g."costNano", g."costUnknown"
from (
  select ${COLUMNS.join(',\n    ')},
    count(*) as tasks, count(*) filter (where r.state = 'settled') as completed, count(*) filter (where r.state = 'refunded') as failed,
    coalesce(sum(r.settled_nano), 0)::bigint as "chargedNano", coalesce(sum(f.amount_nano), 0)::bigint as "refundedNano",
    least(coalesce(sum(r.cost_nano), 0), ${MAX_BIGINT})::bigint as "costNano",
    count(*) filter (where r.state <> 'held' and r.cost_nano is null) as "costUnknown"
  from (
    select * from reservations
    where task_id >= $3 and task_id < $4 and created_at >= $1 and created_at < $2 and not is_test
    order by task_id limit $5
  ) r
  left join refund f on f.task_id = r.task_id
  left join unnest($8::text[], $9::text[]) as v(channel_id, vendor) on v.channel_id = r.channel_id
  group by ${PLACES} order by ${PLACES} limit $6
) g order by ${PLACES}`,
  values: ({ from, to, fromId, toId, groups, vendors, maxTasks, maxGroups }) => [
    from,
    to,
    fromId,
    toId,
    maxTasks,
    maxGroups,
    groups,
    [...vendors.keys()],
    [...vendors.values()],
  ],
};
