/** How far the clocks of processes, which ids are made by, may be from that of the database. */
export const CLOCKS_MS = 3_600_000;

/**
 * The moment, by `usage_progress p`, before which every booked reservation is in a sum. Ids sort by clocks that differ from the database's
 * by an hour at most, either way.
 */
export const UNSUMMED_FROM = `coalesce(p.newest_at - interval '${(2 * CLOCKS_MS) / 1000} seconds', '-infinity')`;

/** Fails for a zone that PostgreSQL does not know; dates of rows fail only where there are rows. */
export const isKnownZone = (zone: string) => `(now() at time zone ${zone}) is not null`;

/**
 * The CTE `whole`: which part of a time is read from the sums of days, and where the rest of it is. Its sums are of the reservations up to
 * `summed_to` that were booked on the days from `first_day` until before `end_day`, which `first_at` and `end_at` are the beginnings of. A day
 * that the time ends on is whole where nothing of it that is summed up was booked later. `areSummed`: whether sums of days serve at all; else
 * all of the time is before `first_at`.
 */
export function wholeDays(from: string, to: string, areSummed = 'true'): string {
  return `
with day as materialized (
  select p.summed_to, ${UNSUMMED_FROM} as unsummed_from,
    case when ${areSummed} then ((${from}::timestamptz at time zone 'UTC') + interval '1 day' - interval '1 microsecond')::date
      else 'infinity' end as first_day,
    case when ${to}::timestamptz > p.newest_at then 'infinity' else (${to}::timestamptz at time zone 'UTC')::date end as end_day
  from usage_progress p
),
whole as materialized (
  select d.summed_to, d.first_day, d.end_day, d.first_day::timestamp at time zone 'UTC' as first_at,
    d.end_day::timestamp at time zone 'UTC' as end_at,
    d.unsummed_from
  from day d
)`;
}
