import type { Family, TaskId } from '@mediagate/contracts';
import type { Statement, Whether } from '../../statement';
import { type Claim, SHOWN_COLUMNS, type ShownTask } from './task-row';

export interface LimitedChannel {
  channelId: string;
  maxConcurrency: number;
}

/** Whether one of the channels has a slot for the task, counted as `begin_limited_attempt` does: some work is not worth doing before. */
export const hasSlot: Whether<Statement<[task: Claim, channels: readonly LimitedChannel[]], { id: string }>> = {
  text: `
select c.id from unnest($2::text[], $3::int[]) as c(id, max_open) where channel_has_slot(c.id, $1, c.max_open) limit 1`,
  values: ({ id }, channels) => [
    id,
    channels.map(({ channelId }) => channelId),
    channels.map(({ maxConcurrency }) => maxConcurrency),
  ],
  asksWhether: true,
};

export interface OpenJobs {
  channelId: string;
  /** Jobs under way there: starting, or accepted and not ended. */
  jobs: number;
  /** The age of the oldest. */
  oldestMs: number;
}

/** Counts the open jobs of channels that have any. */
export const countOpenJobs: Statement<[], OpenJobs> = {
  text: `
select channel_id as "channelId", count(*)::int as jobs,
  (extract(epoch from now() - min(started_at)) * 1000)::float8 as "oldestMs" from task_attempts
where state in ('starting', 'accepted') group by channel_id order by channel_id`,
  values: () => [],
};

export interface SlotAwaited {
  /** The attempt that is known not to have reached its vendor, and ends with this; undefined: there is none. */
  attemptId: string | undefined;
  barredChannels: string[];
  /** When the task is looked at again if no slot was kept for it by then. */
  nextStepInMs: number;
}

/** No channel has a slot: the task waits for its turn, and is due as soon as a slot is kept for it. The function `await_slot`. */
export const awaitSlot: Statement<[task: Claim, awaited: SlotAwaited], { held: boolean }> = {
  text: 'select await_slot($1, $2, $3, $4, $5::float8 / 1000) as held',
  values: ({ id, fence }, { attemptId, barredChannels, nextStepInMs }) => [
    id,
    fence,
    attemptId ?? null,
    barredChannels,
    nextStepInMs,
  ],
};

export interface ServingChannel {
  channelId: string;
  /** The public names of its models. */
  models: readonly string[];
  isTest: boolean;
  /** Undefined: no limit. */
  maxConcurrency: number | undefined;
  /** Default: none. */
  answered?: readonly AnsweredAttempt[];
}

/** The vendor is done with the attempt, and whoever holds the task under this fence has the result. */
export interface AnsweredAttempt {
  attemptId: string;
  fence: number;
}

export interface SlotTaker extends ShownTask {
  id: TaskId;
  fence: number;
  family: Family;
}

/** The function `hand_over_slots`; each task is looked up by itself, as with `handOverKeySlots`. */
export const handOverSlots: Statement<[channel: ServingChannel], SlotTaker> = {
  text: `
select h.id, h.fence, h.family, ${SHOWN_COLUMNS} from hand_over_slots($1, $2, $3, $4, $5, $6) h
cross join lateral (select * from tasks where id = h.id offset 0) t`,
  values: ({ channelId, models, isTest, maxConcurrency, answered = [] }) => [
    channelId,
    models,
    isTest,
    maxConcurrency ?? null,
    answered.map(({ attemptId }) => attemptId),
    answered.map(({ fence }) => fence),
  ],
};

export interface AwaitedModel {
  model: string;
  isTest: boolean;
  family: Family;
  tasks: number;
}

/** Bounds what a look at long lines costs, each second: so many tasks are counted, of each model that is awaited as many as of the others. */
const MAX_COUNTED = 10_000;

/**
 * Models whose channels have no slot for some tasks. Counts go by an index in its order: with no order the planner would collect all that wait
 * before it counts the first.
 */
export const listAwaitedModels: Statement<[], AwaitedModel> = {
  text: `
with recursive found as (
  (select w.model, w.is_test, w.family from slot_waiters w order by w.model, w.is_test limit 1)
  union all
  select n.model, n.is_test, n.family from found f cross join lateral (
    select w.model, w.is_test, w.family from slot_waiters w where (w.model, w.is_test) > (f.model, f.is_test)
    order by w.model, w.is_test limit 1
  ) n
)
select f.model, f.is_test as "isTest", f.family, (
  select count(*)::int from (
    select from slot_waiters w where w.model = f.model and w.is_test = f.is_test
    order by w.turn_at, w.task_id limit (select ${MAX_COUNTED} / count(*) from found)
  ) c
) as tasks
from found f`,
  values: () => [],
};

/**
 * Removes some of those that have begun or ended elsewhere. The task's row is looked up by itself, as with `handOverSlots`, and locked, so that
 * one which has come back to wait meanwhile stays.
 */
export const forgetSlotTakers: Statement<[], { id: string }> = {
  text: `
with gone as materialized (
  select w.task_id from slot_waiters w cross join lateral (
    select t.id from tasks t
    where t.id = w.task_id and (t.status in ('completed', 'failed') or t.attempt_state is not null) for update skip locked
  ) t
  limit ${MAX_COUNTED} for update of w skip locked
)
delete from slot_waiters d where d.task_id = any(array(select task_id from gone))
returning d.task_id as id`,
  values: () => [],
};
