import { dayAt, lastMonth, type Month, monthIn, parseMonth } from '@mediagate/billing';
import type { Query } from './query';
import { readZone } from './time-zone';

/** The parameter `month`, of the zone that `timezone` names, or of UTC; where it is absent, the last one that is over. */
export function readMonth(query: Query): Month {
  const timezone = readZone(query);
  const today = new Date(dayAt(Date.now(), timezone));
  const month = query.parsed('month', parseMonth, 'must_be_month', { example: '2026-10' }) ?? lastMonth(today);
  return monthIn(month, timezone);
}
