import { lastMonth, type Month, parseMonth } from '@mediagate/billing';
import type { Query } from './query';

/** The parameter `month`, of UTC; where it is absent, the last one that is over. */
export function readMonth(query: Query): Month {
  return query.parsed('month', parseMonth, 'must_be_month', { example: '2026-10' }) ?? lastMonth();
}
