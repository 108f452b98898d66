import type { Statement } from '../../statement';
import { OPERATORS, type Watched, watchFor } from './watch-for';

/** A month is closed a day after its end; a week later something is in the way of it. */
const WAITS_AFTER = '1 month 8 days';

/**
 * The oldest month that is not closed, where the reconciler closes months, none is being sealed, and it ended so long ago. The reconciler logs
 * what it waits for.
 */
export const watchBooks: Statement<[closesMonths: boolean], Watched> = {
  text: watchFor(
    'books_waiting',
    `
last as (select c.month, c.digest from closed_months c order by c.month desc limit 1),
next as (
  select coalesce((select l.month + interval '1 month' from last l), (
    select date_trunc('month', e.created_at at time zone 'UTC') from ledger_entries e order by e.id limit 1
  )) as month
),
holds as materialized (
  select '${OPERATORS}' as owner, 'books' as subject, null::text as account_id, 0 as level,
    (n.month + interval '1 month 1 day') at time zone 'UTC' as since, jsonb_build_object('month', to_char(n.month, 'YYYY-MM')) as figures
  from next n
  where $1::boolean and (n.month + interval '${WAITS_AFTER}') at time zone 'UTC' <= now() and not exists (select from last l where l.digest is null)
)`,
  ),
  values: (closesMonths) => [closesMonths],
};
