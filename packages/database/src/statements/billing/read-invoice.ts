import type { Nano } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { UNSUMMED_FROM, unitsOf } from './usage-days';

/** The longest that a statement which began before midnight may take, and more. */
const FINAL_AFTER_S = 600;

export interface InvoiceQuery {
  accountId: string;
  /** Bookings from then on, */
  from: Date;
  /** and before then, which is of another day of UTC. */
  to: Date;
}

export interface InvoiceRow {
  /** The sum of all earlier bookings. */
  openingNano: Nano;
  paymentsNano: Nano;
  /** Corrections of the account itself. */
  adjustmentsNano: Nano;
  /** Given back by hand of what tasks were charged. */
  refundsNano: Nano;
  /** Whether, by the database's clock, nothing is booked in the time any more. */
  isFinal: boolean;
  /** The tasks that were settled in the time, by model. Whole numbers are texts. */
  charges: readonly { model: string | null; tasks: string; charged: string; units: Record<string, string> }[];
}

/** The bounds are scalars, so that each part of a day is one range of the index by account and time. */
function chargesOfEdge(isFirst: 'true' | 'false'): string {
  const edge = (column: string) => `(select e.${column} from edge e where e.is_first = ${isFirst})`;
  return `
  select r.model, r.settled_nano, r.units, ${isFirst} as is_first
  from reservations r
  where r.account_id = $1 and r.created_at >= ${edge('booked_from')} and r.created_at < ${edge('to_at')}
    and r.resolved_at >= ${edge('from_at')} and r.resolved_at < ${edge('to_at')}
    and r.state = 'settled' and not r.is_test and r.task_id <= (select summed_to from progress)`;
}

/**
 * Sums up an account's bookings: payments and corrections from the ledger, where a narrow index has them, and charges from the sums of
 * days and the reservations that are in none. Of a day of UTC that the time begins or ends in, the charges of the part within the time are
 * read one by one; the sums of that day name the oldest of its submissions. Held money counts as the account's own.
 */
export const readInvoice: Statement<[query: InvoiceQuery], InvoiceRow> = {
  text: `
with progress as materialized (select p.summed_to, ${UNSUMMED_FROM} as unsummed_from from usage_progress p),
day as materialized (
  select (($2::timestamptz at time zone 'UTC') + interval '1 day' - interval '1 microsecond')::date as first_day,
    ($3::timestamptz at time zone 'UTC')::date as end_day
),
edge as materialized (
  select e.is_first, e.from_at, e.to_at, (
      select min(u.day)::timestamp at time zone 'UTC' from usage_days u
      where u.account_id = $1 and u.ended_on = (e.from_at at time zone 'UTC')::date and u.completed > 0
    ) as booked_from
  from day d cross join lateral (values
    (true, $2::timestamptz, d.first_day::timestamp at time zone 'UTC'), (false, d.end_day::timestamp at time zone 'UTC', $3::timestamptz)
  ) as e(is_first, from_at, to_at)
  where e.from_at < e.to_at
),
of_edge as materialized (${chargesOfEdge('true')} union all ${chargesOfEdge('false')}),
settled as materialized (
  select u.id as day_id, nullif(u.model, '') as model, true as is_within, u.completed as tasks, u.charged_nano, null::jsonb as units
  from usage_days u
  where u.account_id = $1 and u.ended_on >= (select first_day from day) and u.ended_on < (select end_day from day)
  union all
  select null, e.model, true, 1, e.settled_nano, e.units from of_edge e
  union all
  select null, r.model, r.resolved_at >= $2, 1, r.settled_nano, r.units
  from reservations r
  where r.account_id = $1 and r.created_at >= (select unsummed_from from progress) and r.task_id > (select summed_to from progress)
    and r.state = 'settled' and not r.is_test and r.resolved_at < $3
),
former as (
  select coalesce(sum(u.charged_nano), 0) - coalesce((select sum(e.settled_nano) from of_edge e where e.is_first), 0) as charged
  from usage_days u
  where u.account_id = $1 and u.ended_on < (select first_day from day)
),
unit as (
  select q.model, q.unit, sum(q.quantity) as quantity
  from (
    select s.model, q.unit, q.quantity from settled s ${unitsOf('s.day_id')} where s.is_within
    union all
    select s.model, e.unit, e.quantity::numeric from settled s cross join lateral jsonb_each_text(s.units) as e(unit, quantity)
    where s.is_within
  ) q
  group by 1, 2
),
charge as (
  select s.model, sum(s.tasks) as tasks, sum(s.charged_nano) as charged from settled s
  where s.is_within group by 1 having sum(s.tasks) > 0
),
moved as (
  select
    coalesce(sum(l.amount_nano) filter (where l.created_at < $2), 0) as before,
    coalesce(sum(l.amount_nano) filter (where l.created_at >= $2 and l.kind = 'top_up'), 0) as payments,
    coalesce(sum(l.amount_nano) filter (where l.created_at >= $2 and l.kind = 'adjust' and l.task_id is null), 0) as adjustments,
    coalesce(sum(l.amount_nano) filter (where l.created_at >= $2 and l.kind = 'adjust' and l.task_id is not null), 0) as refunds
  from ledger_entries l where l.account_id = $1 and l.kind in ('top_up', 'adjust') and l.created_at < $3
)
select (m.before - (select f.charged from former f)
    - coalesce((select sum(s.charged_nano) from settled s where not s.is_within), 0))::bigint as "openingNano",
  now() > $3::timestamptz + interval '${FINAL_AFTER_S} seconds' as "isFinal", m.payments::bigint as "paymentsNano",
  m.adjustments::bigint as "adjustmentsNano", m.refunds::bigint as "refundsNano",
  coalesce((
    select jsonb_agg(jsonb_build_object('model', c.model, 'tasks', c.tasks::text, 'charged', c.charged::text, 'units', coalesce((
        select jsonb_object_agg(u.unit, u.quantity::text) from unit u where u.model is not distinct from c.model), '{}'))
      order by c.model)
    from charge c), '[]') as charges
from moved m`,
  values: ({ accountId, from, to }) => [accountId, from, to],
};
