import type { Database, Statement } from '@mediagate/database';

export interface LimitedChannel {
  channelId: string;
  maxConcurrency: number;
}

/** Counts as `begin_limited_attempt` does. */
const FIND_ROOM: Statement = {
  name: 'tasks.find_room',
  text: `
select c.id from unnest($1::text[], $2::int[]) as c(id, max_open)
where c.max_open > (
  select count(*) from task_attempts a join tasks t on t.id = a.task_id
  where a.channel_id = c.id and a.state in ('starting', 'accepted') and not t.parked
)
limit 1`,
};

/** True while one of the channels has fewer jobs than it may. Only an attempt that is begun has its slot. */
export async function findRoom(database: Database, channels: readonly LimitedChannel[]): Promise<boolean> {
  const ids = channels.map(({ channelId }) => channelId);
  const limits = channels.map(({ maxConcurrency }) => maxConcurrency);
  return (await database.query(FIND_ROOM, [ids, limits])).length > 0;
}
