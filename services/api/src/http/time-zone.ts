import { readTimeZone } from '@mediagate/billing';
import { EXAMPLE_ZONE } from '../use-cases/usage-report';
import type { Query } from './query';

/** The parameter `timezone`. */
export function readZone(query: Query): string | undefined {
  return query.parsed('timezone', readTimeZone, 'must_be_time_zone', { example: EXAMPLE_ZONE });
}

export const DAY_MS = 86_400_000;
