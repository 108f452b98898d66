import { beginningOf, dayAt, lastMonth, type Month, monthIn, parseMonth, readTimeZone } from '@mediagate/billing';
import { EXAMPLE_ZONE } from '../../use-cases/usage-report';
import type { Query } from './query';

/** The parameter `timezone`. */
export function readZone(query: Query): string | undefined {
  return query.parsed('timezone', readTimeZone, 'must_be_time_zone', { example: EXAMPLE_ZONE });
}

export const DAY_MS = 86_400_000;

/** The error message that says what `readTime` accepts. */
export const ACCEPTED_TIME = ['must_be_time', { example: '2026-11-22, 1795305600' }] as const;

/** Unix seconds, or a day of the zone, UTC by default: its beginning, or as the end of a time its end. */
export function readTime(text: string, dayMs: number, timezone?: string): Date | undefined {
  if (/^\d{1,10}$/.test(text)) return new Date(Number(text) * 1000);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  // A day that its month does not have is none, or becomes another one.
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text)) return undefined;
  return beginningOf(day.getTime() + dayMs, timezone);
}

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

/** The parameter `month`, of the zone that `timezone` names, or of UTC; where it is absent, the last one that is over. */
export function readMonth(query: Query): Month {
  const timezone = readZone(query);
  const today = new Date(dayAt(Date.now(), timezone));
  const month = query.parsed('month', parseMonth, 'must_be_month', { example: '2026-10' }) ?? lastMonth(today);
  return monthIn(month, timezone);
}
