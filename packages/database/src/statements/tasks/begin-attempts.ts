import type { Statement } from '../../statement';
import type { Claim } from './claim';
import { HELD_BY_ITEMS } from './held-by-items';

export interface AttemptBegin {
  attemptId: string;
  channelId: string;
  protocol: string;
  /** Where it is to be asked about, by `rememberChannel`; default: wherever the channel leads. */
  destination?: string | null;
  /** Attempts in state starting or accepted that the channel may have at once; undefined: no limit. */
  maxConcurrency: number | undefined;
}

export type AttemptToBegin = Omit<AttemptBegin, 'maxConcurrency'> & { task: Claim };

/**
 * Any number of attempts at once, each for a claim of its own. A row for each that was begun: its claim held, its lease had neither
 * lapsed nor been given back, and its time to begin was not over. A statement that arrives late finds it so after its worker has gone on.
 * One whose answer was lost may be begun again under its id: it is, once.
 */
export const beginAttempts: Statement<[items: readonly AttemptToBegin[]], { id: string }> = {
  text: `
with item as materialized (
  select * from unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[])
    as i(task_id, fence, attempt_id, channel_id, protocol, destination)
),
held as materialized (${HELD_BY_ITEMS}),
task as (
  update tasks t set attempt_id = h.attempt_id, attempt_state = 'starting', channel_id = h.channel_id,
    upstream_operation = null, attempts_made = t.attempts_made + 1, start_by = null,
    deadline_at = deadline_once_begun(t.deadline_at, t.start_by)
  from held h
  where t.id = h.id and h.present_fence = h.fence and (t.lease_until > clock_timestamp()) is true and (t.start_by <= now()) is not true
    and t.attempt_id is distinct from h.attempt_id
  returning t.id, t.attempts_made, h.attempt_id, h.channel_id, h.protocol, h.destination
),
begun as (
  insert into task_attempts (id, task_id, number, channel_id, protocol, destination, state)
  select attempt_id, id, attempts_made, channel_id, protocol, destination, 'starting' from task returning id
)
select id from begun
union all
select h.attempt_id from held h
where h.present_fence = h.fence and h.present_attempt = h.attempt_id and h.attempt_state = 'starting'`,
  values: (items) => [
    items.map(({ task }) => task.id),
    items.map(({ task }) => task.fence),
    items.map(({ attemptId }) => attemptId),
    items.map(({ channelId }) => channelId),
    items.map(({ protocol }) => protocol),
    items.map(({ destination = null }) => destination),
  ],
};

/** Begins an attempt on a channel with a limit: the function `begin_limited_attempt`. */
export const beginLimitedAttempt: Statement<
  [item: AttemptToBegin, maxConcurrency: number],
  { outcome: 'begun' | 'at_capacity' | 'lost' }
> = {
  text: 'select begin_limited_attempt($1, $2, $3, $4, $5, $6, $7) as outcome',
  values: ({ task, attemptId, channelId, protocol, destination = null }, maxConcurrency) => [
    task.id,
    task.fence,
    attemptId,
    channelId,
    protocol,
    maxConcurrency,
    destination,
  ],
};
