import { dataQuery } from '../../api/data-query.ts';
import type { components } from '../../api/generated/api.ts';

export type Channel = components['schemas']['Channel'];

/** Root of the queries that list channels. */
export const CHANNELS = 'channels';

const REFRESH_MS = 10_000;

export const channelsQuery = dataQuery<Channel[]>([CHANNELS], '/admin/v1/channels', { refetchInterval: REFRESH_MS });

/** It has as many jobs as it may: what comes waits. */
export function isFull({ open_jobs: open, max_concurrency: most }: Channel): boolean {
  return most !== null && open >= most;
}

/** Drain: it takes no more tasks. Disable: those that it has are only checked to their end. Reset: the file decides again. */
export const STEERINGS = ['drain', 'disable', 'weigh', 'reset'] as const;
export type Steering = (typeof STEERINGS)[number];
