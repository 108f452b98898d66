import type { JsonObject, TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { type Change, type ChangeRequest, change, noteOf, withNote } from '../identity/note';
import { isSeen } from '../visibility';
import { IS_PENDING } from './attempts';

const TODAY = `(now() at time zone 'utc')::date`;
const REDELIVERED_TODAY = `case when d.caller_redelivered_on = ${TODAY} then d.caller_redeliveries else 0 end`;

/** @param dailyLimit a parameter: how often an account may have one sent again on one day; null: an operator asks. */
function isWithinLimit(dailyLimit: string): string {
  return `(${dailyLimit}::int is null or ${REDELIVERED_TODAY} < ${dailyLimit})`;
}

/** Makes an ended delivery due at once, with the full schedule; it is counted if its account asks. */
function dueAgain(dailyLimit: string): string {
  return `
  set state = 'pending', reason = null, attempts_made = 0, fence = next_fence(d.fence), lease_until = null,
    next_attempt_at = now(), ended_at = null,
    caller_redelivered_on = case when ${dailyLimit}::int is null then d.caller_redelivered_on else ${TODAY} end,
    caller_redeliveries = case when ${dailyLimit}::int is null then d.caller_redeliveries else ${REDELIVERED_TODAY} + 1 end`;
}

/**
 * No row: there is none, it is still being tried, or its account had it sent again as often as it may today. `after.fence` is that of
 * the new series.
 */
export const redeliver = change<[id: string, dailyLimit: number | null]>({
  text: withNote(`
old as materialized (
  select d.id, d.state, d.reason from webhook_deliveries d
  where d.id = $2 and d.state <> 'pending' and ${isWithinLimit('$3')} for update
),
new as (
  update webhook_deliveries d ${dueAgain('$3')}
  from old where d.id = old.id
  returning d.id, d.state, d.reason, d.fence
),
changed as (
  select new.id as subject, to_jsonb(old) - 'id' as before, to_jsonb(new) - 'id' as after from new join old on old.id = new.id
)`),
  values: (id, dailyLimit, request) => [noteOf('webhook.redeliver', request), id, dailyLimit],
});

/** How often its account had it sent again today. No row: there is no such delivery. */
export const countRedeliveries: Statement<[id: string], { count: number }> = {
  text: `select ${REDELIVERED_TODAY} as count from webhook_deliveries d where d.id = $1`,
  values: (id) => [id],
};

/**
 * Ends a pending delivery without another request. One that is under way is still recorded, and changes nothing any more. No
 * row: there is none, or it has ended.
 */
export const cancelDelivery = change<[id: string]>({
  text: withNote(`
old as materialized (
  select d.id, d.state, d.reason, d.attempts_made from webhook_deliveries d where d.id = $2 and ${IS_PENDING} for update
),
new as (
  update webhook_deliveries d
  set state = 'dropped', reason = 'cancelled_by_operator', fence = next_fence(d.fence), lease_until = null, next_attempt_at = null, ended_at = now()
  from old where d.id = old.id
  returning d.id, d.state, d.reason, d.attempts_made
),
changed as (
  select new.id as subject, to_jsonb(old) - 'id' as before, to_jsonb(new) - 'id' as after from new join old on old.id = new.id
)`),
  values: (id, request) => [noteOf('webhook.cancel', request), id],
});

/** Selects the ended callbacks to send again; null fields do not narrow the choice. */
export interface DeliveriesToRedeliver {
  accountId: string | null;
  /** The key as in `Visibility`. */
  ownKeyId: string | null;
  /** Null only where `taskIds` are named. */
  state: string | null;
  taskIds: readonly TaskId[] | null;
  /** When their tasks ended. */
  createdFrom: Date | null;
  createdBefore: Date | null;
  /** Only tasks whose ids are below this one, */
  before: string;
  /** and not below this one. */
  from: string;
  /** Rows of an index that are looked at. */
  scanRows: number;
  limit: number;
  /** How often an account may have one sent again on one day; null: an operator asks. */
  dailyLimit: number | null;
}

/** The subject in the audit log where no account is named. */
const ALL = 'all';

type Arguments = [wanted: DeliveriesToRedeliver, filter: JsonObject];

/** The candidates that fit. */
const PICKED = `
picked as materialized (
  select c.task_id, d.id from candidate c
  cross join lateral (
    select d.id from webhook_deliveries d
    where d.task_id = c.task_id and d.state <> 'pending' and ($6::text is null or d.state = $6)
      and ($5::text is null or d.account_id = $5)
      and ($13::text is null or exists (select from tasks t where t.id = d.task_id and ${isSeen('t.key_id', '$13')}))
      and ($8::timestamptz is null or d.created_at >= $8) and ($9::timestamptz is null or d.created_at < $9)
      and ${isWithinLimit('$12')}
    limit 1
  ) d
  order by c.task_id desc limit $4
)`;

const DUE_AGAIN = `
old as materialized (
  select d.id from webhook_deliveries d
  where d.id in (select id from picked) and d.state <> 'pending' and ($6::text is null or d.state = $6) and ${isWithinLimit('$12')}
  order by d.id for update
),
new as (
  update webhook_deliveries d ${dueAgain('$12')}
  from old where d.id = old.id
  returning d.id
)`;

/** The request, how many callbacks are sent again, and the task behind which to go on. */
const SUMMARY = `
changed as (
  select coalesce($5, '${ALL}') as subject, null::jsonb as before, $10::jsonb || jsonb_build_object(
    'redelivered', (select count(*) from new),
    'next', case when (select count(*) from picked) = $4 then (select min(task_id) from picked)
      else (select c.task_id from candidate c order by c.task_id desc offset $3 - 1 limit 1) end
  ) as after
)`;

/**
 * Redelivers for the newest tasks first, in one statement with one entry in the audit log. A request that finds nothing leaves no entry,
 * except an operator's under an idempotency key: accounts could fill the log by keys without end.
 */
function redeliverOf(source: string): Change<Arguments> {
  const candidate = `candidate as materialized (${source})`;
  const condition = `(n.key is not null and $12::int is null) or (c.after ->> 'redelivered')::int > 0`;
  return change({ text: withNote([candidate, PICKED, DUE_AGAIN, SUMMARY].join(','), condition), values: valuesOf });
}

function valuesOf(...[wanted, filter, request]: [...Arguments, request: ChangeRequest]): unknown[] {
  return [
    noteOf('webhook.redeliver_many', request),
    wanted.before,
    wanted.scanRows,
    wanted.limit,
    wanted.accountId,
    wanted.state,
    wanted.taskIds,
    wanted.createdFrom?.toISOString() ?? null,
    wanted.createdBefore?.toISOString() ?? null,
    JSON.stringify(filter),
    wanted.from,
    wanted.dailyLimit,
    wanted.ownKeyId,
  ];
}

export const redeliverOfTasks = redeliverOf(`
  select t.task_id from unnest($7::text[]) as t(task_id) where t.task_id < $2 and t.task_id >= $11
  order by t.task_id desc limit $3`);

export const redeliverOfState = redeliverOf(`
  select d.task_id from webhook_deliveries d
  where (d.state, d.task_id) < ($6, $2) and (d.state, d.task_id) >= ($6, $11) and d.state <> 'delivered' and $7::text[] is null
  order by d.state desc, d.task_id desc limit $3`);

export const redeliverOfAccount = redeliverOf(`
  select d.task_id from webhook_deliveries d
  where (d.account_id, d.state, d.task_id) < ($5, $6, $2) and (d.account_id, d.state, d.task_id) >= ($5, $6, $11)
    and $7::text[] is null
  order by d.account_id desc, d.state desc, d.task_id desc limit $3`);

/** Most of them were delivered: the newest tasks are gone through. */
export const redeliverDelivered = redeliverOf(`
  select d.task_id from webhook_deliveries d where d.task_id < $2 and d.task_id >= $11 and $7::text[] is null
  order by d.task_id desc limit $3`);
