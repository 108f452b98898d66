import type { Database, Statement } from '@mediagate/database';

export interface OpenJobs {
  channelId: string;
  /** Under way there: starting, or accepted and not ended. */
  jobs: number;
}

const COUNT_OPEN_JOBS: Statement = {
  name: 'tasks.count_open_jobs',
  text: `
select channel_id as "channelId", count(*)::int as jobs from task_attempts
where state in ('starting', 'accepted') group by channel_id order by channel_id`,
};

/** Channels that have any. */
export function countOpenJobs(database: Database): Promise<OpenJobs[]> {
  return database.query<OpenJobs>(COUNT_OPEN_JOBS, []);
}
