import { createBatcher, type Database, type Statement } from '@mediagate/database';
import type { AttemptBegin, Claim } from './attempt-begin';
import { heldByItems, MAX_BATCH_ITEMS, MAX_WAITING_ITEMS } from './held-by-items';

/** Any number of attempts at once, each for a claim of its own: task ids, fences, attempt ids, channel ids, protocols. */
const BEGIN: Statement = {
  name: 'tasks.begin_attempts',
  text: `
with item as materialized (
  select * from unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[])
    as i(task_id, fence, attempt_id, channel_id, protocol)
),
held as materialized (${heldByItems('$1')}),
task as (
  update tasks t set attempt_id = i.attempt_id, attempt_state = 'starting', channel_id = i.channel_id,
    upstream_operation = null, attempts_made = t.attempts_made + 1
  from held h join item i on i.task_id = h.id and i.fence = h.fence
  where t.id = h.id
  returning t.id, t.attempts_made, i.attempt_id, i.channel_id, i.protocol
)
insert into task_attempts (id, task_id, number, channel_id, protocol, state)
select attempt_id, id, attempts_made, channel_id, protocol, 'starting' from task returning id`,
};

type Beginning = AttemptBegin & { task: Claim };

/** Writes the intent of an attempt, on a channel without a limit; what begins at the same time shares one statement. */
export function createAttemptBeginner(database: Database): (beginning: Beginning) => Promise<'begun' | 'lost'> {
  return createBatcher<Beginning, 'begun' | 'lost'>({
    maxItems: MAX_BATCH_ITEMS,
    maxWaiting: MAX_WAITING_ITEMS,
    run: async (items) => {
      const rows = await database.query<{ id: string }>(BEGIN, [
        items.map(({ task }) => task.id),
        items.map(({ task }) => task.fence),
        items.map(({ attemptId }) => attemptId),
        items.map(({ channelId }) => channelId),
        items.map(({ protocol }) => protocol),
      ]);
      const begun = new Set(rows.map(({ id }) => id));
      return items.map(({ attemptId }) => (begun.has(attemptId) ? 'begun' : 'lost'));
    },
  });
}
