import type { Statement } from '../../statement';

export interface LimitedChannel {
  channelId: string;
  maxConcurrency: number;
}

/** Counts as `begin_limited_attempt` does. A row while one of the channels has fewer jobs than it may. */
export const findChannelWithSlot: Statement<[channels: readonly LimitedChannel[]], { id: string }> = {
  text: `
select c.id from unnest($1::text[], $2::int[]) as c(id, max_open)
where c.max_open > (
  select count(*) from task_attempts a join tasks t on t.id = a.task_id
  where a.channel_id = c.id and a.state in ('starting', 'accepted') and not t.parked
)
limit 1`,
  values: (channels) => [
    channels.map(({ channelId }) => channelId),
    channels.map(({ maxConcurrency }) => maxConcurrency),
  ],
};

export interface OpenJobs {
  channelId: string;
  /** Under way there: starting, or accepted and not ended. */
  jobs: number;
}

/** Channels that have any. */
export const countOpenJobs: Statement<[], OpenJobs> = {
  text: `
select channel_id as "channelId", count(*)::int as jobs from task_attempts
where state in ('starting', 'accepted') group by channel_id order by channel_id`,
  values: () => [],
};
