import type { Statement } from '../../statement';
import type { Claim } from './claim';

export interface LimitedChannel {
  channelId: string;
  maxConcurrency: number;
}

/** Counts as `begin_limited_attempt` does. A row while the task might begin on one of the channels. */
export const findChannelWithSlot: Statement<[task: Claim, channels: readonly LimitedChannel[]], { id: string }> = {
  text: `
select c.id from unnest($2::text[], $3::int[]) as c(id, max_open) where channel_has_slot(c.id, $1, c.max_open) limit 1`,
  values: ({ id }, channels) => [
    id,
    channels.map(({ channelId }) => channelId),
    channels.map(({ maxConcurrency }) => maxConcurrency),
  ],
};

export interface OpenJobs {
  channelId: string;
  /** Jobs under way there: starting, or accepted and not ended. */
  jobs: number;
}

/** Counts the open jobs of channels that have any. */
export const countOpenJobs: Statement<[], OpenJobs> = {
  text: `
select channel_id as "channelId", count(*)::int as jobs from task_attempts
where state in ('starting', 'accepted') group by channel_id order by channel_id`,
  values: () => [],
};
