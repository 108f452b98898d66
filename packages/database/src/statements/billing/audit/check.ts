import { MAX_BIGINT } from '../../../statement';
import { CLOCKS_MS } from '../usage-days';

/** A rule of the books: the rows that break it, each as subject (a task's, account's, key's, delivery's or entry's id) and detail. */
export interface Check {
  invariant: string;
  text: string;
}

/** A check reports so many rows at most: whoever finds more has one fault many times over. */
export const MAX_VIOLATIONS_EACH = 100;

/**
 * Days are summed up by ids that are within an hour of their booking (`sumDays`). A clock further behind leaves its tasks out of the sums, one
 * further ahead leaves them out for as long as it is ahead; both put them at the wrong place of every list. `first_id_at` is slow: the first id
 * of an hour is computed once, and clears each task whose id is of the hour of its booking.
 *
 * @param bookings a relation of `task_id` and `booked_at`
 */
export function idsByTheClock(bookings: string): Check {
  const apart = `interval '${CLOCKS_MS / 1000} seconds'`;
  const hour = `date_bin('1 hour', booked_at, 'epoch')`;
  return {
    invariant: 'task: its id is within an hour of its booking',
    text: `with hours as materialized (
        select hour, 'task_' || first_id_at(hour) as first_id, 'task_' || first_id_at(hour + interval '1 hour') as next_first_id
        from (select distinct ${hour} as hour from ${bookings} b) booked)
      select b.task_id, format('booked %s', b.booked_at) from ${bookings} b join hours h on h.hour = ${hour}
      where case when b.task_id >= h.first_id and b.task_id < h.next_first_id then false
        else b.task_id < 'task_' || first_id_at(b.booked_at - ${apart}) or b.task_id >= 'task_' || first_id_at(b.booked_at + ${apart}) end`,
  };
}

export interface ViolationRow {
  invariant: string;
  subject: string;
  detail: string;
}

/** The parts of ONE statement, which so sees one snapshot, consistent while traffic flows. At most 100 rows of each check. */
export function joined(checks: readonly Check[]): string {
  return checks
    .map(
      ({ invariant, text }) =>
        `(select '${invariant}' as invariant, c.subject::text, c.detail::text
          from (${text}) as c(subject, detail) limit ${MAX_VIOLATIONS_EACH})`,
    )
    .join('\nunion all\n');
}

/**
 * An account's newest entry before an id and after another. The account is named by a range, as in `listLedger`: for one with few entries among many the
 * planner would walk through everybody's by the primary key.
 */
export function newestEntry({
  of: account,
  before = MAX_BIGINT,
  after = '0',
}: {
  of: string;
  before?: string;
  after?: string;
}): string {
  return `select l.id, l.created_at, l.balance_after_nano from ledger_entries l
        where (l.account_id, l.id) > (${account}, ${after}) and (l.account_id, l.id) < (${account}, ${before}) order by l.account_id desc, l.id desc limit 1`;
}
