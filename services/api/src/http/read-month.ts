import { lastMonth, type Month, parseMonth } from '@mediagate/billing';
import type { Query } from './query';
import { beginningOf, dayAt, readZone } from './time-zone';

/** The parameter `month`, of the zone that `timezone` names, or of UTC; where it is absent, the last one that is over. */
export function readMonth(query: Query): Month {
  const timezone = readZone(query);
  const today = new Date(dayAt(Date.now(), timezone));
  const { name, from, to } =
    query.parsed('month', parseMonth, 'must_be_month', { example: '2026-10' }) ?? lastMonth(today);
  if (timezone === undefined || timezone === 'UTC') return { name, from, to };
  return { name, timezone, from: beginningOf(from.getTime(), timezone), to: beginningOf(to.getTime(), timezone) };
}
