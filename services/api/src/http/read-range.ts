import type { Query } from './query';
import { ACCEPTED_TIME, readTime } from './read-time';
import { DAY_MS } from './time-zone';

const MAX_DAYS = 366;
const DEFAULT_DAYS = 30;

/** The time that a report is of: `from` and `to`, days of the zone, by default the last 30 days, and a year at most. Without `to`, a `from` that is still to come is of its day. */
export function readRange(query: Query, timezone?: string): { from: Date; to: Date } {
  const now = new Date();
  const asked = query.parsed('from', (text) => readTime(text, 0, timezone), ...ACCEPTED_TIME);
  const latest = asked !== undefined && asked >= now ? new Date(asked.getTime() + DAY_MS) : now;
  const to = query.parsed('to', (text) => readTime(text, DAY_MS, timezone), ...ACCEPTED_TIME) ?? latest;
  const from = asked ?? new Date(to.getTime() - DEFAULT_DAYS * DAY_MS);
  if (from >= to) query.refuse('from', 'must_be_before', { other: 'to' });
  else if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS)
    query.refuse('from', 'range_too_long', { days: MAX_DAYS, other: 'to' });
  return { from, to };
}
