import { dataQuery } from '../../api/data-query.ts';
import type { components } from '../../api/generated/api.ts';

export type Channel = components['schemas']['Channel'];

/** Root of the queries that list channels. */
export const CHANNELS = 'channels';

const REFRESH_MS = 10_000;
/** From so many attempts on, their failures say something. */
const TELLING_ATTEMPTS = 5;
const SICK_SHARE = 0.2;
/** Faults that end an attempt because of what its caller asked for. */
const CALLERS_FAULTS = ['content_policy', 'bad_request', 'cannot_carry'];

export const channelsQuery = dataQuery<Channel[]>([CHANNELS], '/admin/v1/channels', { refetchInterval: REFRESH_MS });

/** It is closed or passed over, or fails often; one of test keys fails as callers wish. */
export function isSick({ state, breaker, recent, test }: Channel): boolean {
  if (test) return false;
  if (state !== 'enabled' || breaker.open_in > 0 || breaker.models.length > 0) return true;
  return recent.attempts >= TELLING_ATTEMPTS && vendorFailures(recent) >= recent.attempts * SICK_SHARE;
}

/** It has as many jobs as it may: what comes waits. */
export function isFull({ open_jobs: open, max_concurrency: most }: Channel): boolean {
  return most !== null && open >= most;
}

/** Failed attempts, without those that failed by what was asked for. */
export function vendorFailures({ refused, unknown, faults }: Channel['recent']): number {
  return CALLERS_FAULTS.reduce((failed, fault) => failed - (faults[fault] ?? 0), refused + unknown);
}

/** Drain: it takes no more tasks. Disable: those that it has are only checked to their end. Reset: the file decides again. */
export const STEERINGS = ['drain', 'disable', 'weigh', 'reset'] as const;
export type Steering = (typeof STEERINGS)[number];
