import { firstTaskIdAt, type Nano } from '@mediagate/contracts';
import { MAX_BIGINT, type Statement } from '../../statement';
import { CLOCKS_MS, isKnownZone, unitsOf, wholeDays } from './usage-days';

/** The values by which operators group usage. */
export const MARGIN_GROUPS = ['day', 'vendor', 'channel', 'model', 'account', 'family', 'key'] as const;
export type MarginGroup = (typeof MARGIN_GROUPS)[number];

export interface MarginQuery {
  /** Tasks submitted from then on, */
  from: Date;
  /** and before then. */
  to: Date;
  groups: readonly MarginGroup[];
  /** Days are those of this zone, by its IANA name; absent: of UTC. */
  timezone?: string | undefined;
  /** The vendor of each channel. */
  vendors: ReadonlyMap<string, string>;
  /** Tasks that are read one by one at most; where so many are read, the sums may lack the others. */
  maxTasks: number;
  maxGroups: number;
}

/** The sums of one group; values that are not asked for are null. */
export type MarginRow = Record<MarginGroup, string | null> & {
  tasks: bigint;
  completed: bigint;
  failed: bigint;
  chargedNano: Nano;
  /** Given back by hand of what was charged. */
  refundedNano: Nano;
  /** The vendors' charges, as far as they are known. */
  costNano: Nano;
  /** Ended tasks of whose cost nothing is known. */
  costUnknown: bigint;
  /** Tasks of all groups that were read one by one, because no sum has them. */
  tasksRead: bigint;
};

const GROUP_VALUES: Readonly<Record<MarginGroup, string>> = {
  day: 'r.day',
  vendor: 'v.vendor',
  channel: 'r.channel_id',
  model: 'r.model',
  account: 'r.account_id',
  family: 'r.family',
  key: 'r.key_id',
};
const COLUMNS = MARGIN_GROUPS.map(
  (name) => `case when '${name}' = any($5::text[]) then ${GROUP_VALUES[name]} end as ${name}`,
);
const PLACES = MARGIN_GROUPS.map((_, index) => index + 1).join(', ');
/** Days become text once they are groups. */
const READABLE = MARGIN_GROUPS.map((name) => (name === 'day' ? "to_char(g.day, 'YYYY-MM-DD') as day" : `g.${name}`));

const between = (fromId: string, toId: string, from: string, to: string) => `
      select r.* from reservations r
      where r.task_id >= ${fromId} and r.task_id < ${toId} and r.created_at >= ${from} and r.created_at < ${to} and not r.is_test`;

/** The reservations that are in no sum of a whole day. */
const RESERVATIONS = `
      select * from (${between('$8', '$9', '$1', 'least($2, (select first_at from whole))')}
      union all ${between('$8', '$11', '(select first_at from whole)', '(select least($2, end_at) from whole)')}
        and r.task_id > (select summed_to from whole)
      union all ${between('$10', '$11', '(select greatest(first_at, end_at) from whole)', '$2')}
      ) r limit $3`;
const OF_DAY = `u.day, u.account_id, u.key_id, nullif(u.family, '') as family, nullif(u.model, '') as model,
      nullif(u.channel_id, '') as channel_id`;
const OF_RESERVATION =
  '(r.created_at at time zone $12::text)::date as day, r.account_id, r.key_id, r.family, r.model, r.channel_id';
const WHOLE_DAYS = 'u.day >= (select first_day from whole) and u.day < (select end_day from whole)';
const VENDORS = 'left join unnest($6::text[], $7::text[]) as v(channel_id, vendor) on v.channel_id = r.channel_id';

/** No sums have days of another zone: each task is read then. */
const SUMMED_DAYS = wholeDays(
  '$1',
  '$2',
  `${isKnownZone('$12::text')} and ($12::text = 'UTC' or not 'day' = any($5::text[]))`,
);

/**
 * Sums up whole days, and the reservations of all other tasks but those of test keys: each task has one, for good, with its settled
 * amount and its vendor's charge. The primary key finds those of a time, and a narrow index the refunds made by hand.
 */
export const sumMargin: Statement<[query: MarginQuery], MarginRow> = {
  text: `${SUMMED_DAYS},
refund as materialized (
  select l.task_id, l.amount_nano from ledger_entries l
  where l.kind = 'adjust' and l.task_id is not null and l.task_id >= $8 and l.task_id < $11
)
select ${READABLE.join(', ')}, g.tasks, g.completed, g.failed, g."chargedNano", g."refundedNano", g."costNano", g."costUnknown", g."tasksRead"
from (
  select ${COLUMNS.join(',\n    ')},
    sum(r.tasks)::bigint as tasks, sum(r.completed)::bigint as completed, sum(r.failed)::bigint as failed,
    sum(r.charged_nano)::bigint as "chargedNano", sum(r.refunded_nano)::bigint as "refundedNano",
    least(sum(r.cost_nano), ${MAX_BIGINT})::bigint as "costNano", sum(r.cost_unknown)::bigint as "costUnknown",
    (sum(count(*) filter (where r.is_read)) over ())::bigint as "tasksRead"
  from (
    select ${OF_DAY}, u.completed + u.failed as tasks, u.completed, u.failed, u.charged_nano, u.refunded_nano,
      u.cost_nano, u.cost_unknown, false as is_read
    from usage_days u where ${WHOLE_DAYS}
    union all
    select ${OF_RESERVATION}, 1, (r.state = 'settled')::int,
      (r.state = 'refunded')::int, coalesce(r.settled_nano, 0), coalesce(f.amount_nano, 0), coalesce(r.cost_nano, 0),
      (r.state <> 'held' and r.cost_nano is null)::int, true
    from (${RESERVATIONS}) r
    left join refund f on f.task_id = r.task_id
  ) r
  ${VENDORS}
  group by ${PLACES} order by ${PLACES} limit $4
) g order by ${PLACES}`,
  values: valuesOf,
};

/** One group's quantity of one unit of the price list that accounts were charged for, in billionths, as text. */
export type UnitRow = Record<MarginGroup, string | null> & { unit: string; quantity: string };

/** A price list has fewer units, and so have all together in a group that is of several models. */
const UNITS_OF_GROUP = 100;

/** The same groups. */
export const sumUnits: Statement<[query: MarginQuery], UnitRow> = {
  text: `${SUMMED_DAYS}
select ${READABLE.join(', ')}, g.unit, g.quantity::text as quantity
from (
  select ${COLUMNS.join(',\n    ')}, r.unit, sum(r.quantity) as quantity
  from (
    select ${OF_DAY}, q.unit, q.quantity from usage_days u ${unitsOf('u.id')} where ${WHOLE_DAYS}
    union all
    select ${OF_RESERVATION}, e.unit, e.quantity::numeric
    from (${RESERVATIONS}) r cross join lateral jsonb_each_text(r.units) as e(unit, quantity)
  ) r
  ${VENDORS}
  group by ${PLACES}, r.unit order by ${PLACES}, r.unit limit $4 * ${UNITS_OF_GROUP}
) g order by ${PLACES}, g.unit`,
  values: valuesOf,
};

function valuesOf({ from, to, groups, timezone = 'UTC', vendors, maxTasks, maxGroups }: MarginQuery): unknown[] {
  const owners = [[...vendors.keys()], [...vendors.values()]];
  const areSummed = timezone === 'UTC' || !groups.includes('day');
  return [from, to, maxTasks, maxGroups, groups, ...owners, ...idsAround(from, to, areSummed), timezone];
}

/**
 * Ids between which the tasks are that were booked from a time to the end of its day, and on the day of another until then. Where no days are
 * summed, the former are all.
 */
function idsAround(from: Date, to: Date, areSummed: boolean): string[] {
  const [firstDay, endDay] = [Math.ceil(from.getTime() / DAY_MS) * DAY_MS, Math.floor(to.getTime() / DAY_MS) * DAY_MS];
  const ofFirst = [
    from.getTime() - CLOCKS_MS,
    (areSummed ? Math.min(firstDay, to.getTime()) : to.getTime()) + CLOCKS_MS,
  ];
  const ofLast = [endDay - CLOCKS_MS, to.getTime() + CLOCKS_MS];
  return [...ofFirst, ...ofLast].map(firstTaskIdAt);
}

const DAY_MS = 86_400_000;
