import type { Statement } from '../../statement';
import { judgedMonth } from '../billing/close-month';
import { OPERATORS, type Watched, watchFor } from './watch-for';

/** A month can be closed a day after its end. What is in its way is reported a week later. */
const REPORTED_AFTER = '1 month 8 days';

/** The oldest month that is not closed, where the reconciler closes months, the month ended so long ago, and something is in its way. */
export const watchBooks: Statement<[closesMonths: boolean], Watched> = {
  text: watchFor(
    'books_waiting',
    `
${judgedMonth(`$1::boolean and (n.month + interval '${REPORTED_AFTER}') at time zone 'UTC' <= now()`).trim()},
holds as materialized (
  select '${OPERATORS}' as owner, 'books' as subject, null::text as account_id, 0 as level, j.end_at + interval '1 day' as since,
    jsonb_build_object('month', to_char(j.month, 'YYYY-MM'), 'reason', j.obstacle) as figures
  from judged j where j.obstacle is not null
)`,
  ),
  values: (closesMonths) => [closesMonths],
};
