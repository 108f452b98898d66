import type { Family, Nano, TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { KEPT_END_FORM } from '../tasks/task-row';

/** The longest wait for a row that somebody else has locked. */
const LOCK_WAIT_MS = 2000;

/** Objects as JSON texts. */
export interface TaskToFinish {
  taskId: TaskId;
  /** Null: any. */
  fence: number | null;
  /** Only while no upstream has been asked: no attempt is open, and no process runs it that took it in. */
  onlyUnpaid: boolean;
  status: 'completed' | 'failed';
  costNano: Nano;
  /** The quantity of each unit for which it is settled. */
  units: string | null;
  result: string | null;
  usage: string | null;
  error: string | null;
  /** The id for its callback, if it has one. */
  deliveryId: string;
  /** How the attempt under way ended. */
  attempt: string | null;
  /** Calls that no attempt was written for. */
  calls: string | null;
  /** The note for the audit log, made by `noteOf`, if an operator ends the task; else null. */
  note: string | null;
}

export interface FinishRow {
  task_id: string;
  delivery_id: string | null;
  overrun: Nano;
  /** The key of which the task had a slot, if the key has a limit; else null. */
  freed_of_key: string | null;
  /** As asked, or as the process that is gone kept its end. */
  status: 'completed' | 'failed';
  family: Family;
  model: string;
  is_test: boolean;
  /** The channel that settled it, or was asked last. */
  channel_id: string | null;
  settled_nano: Nano;
  /** The vendor's charge; null: not known. */
  cost_nano: Nano | null;
  /** The time from its submission to its end. */
  seconds: number;
  trace_context: string | null;
}

/**
 * Makes tasks terminal: state, settlement or refund, the attempt's end and the callback's row, in one statement.
 *
 * Whoever locks the task first and finds it unfinished under its fence wins; everybody else changes nothing and gets no
 * row. Locks are taken in the order tasks, accounts, keys, each by id, as everywhere. What was used beyond the
 * reservation is never charged: it becomes an overrun row.
 *
 * An entry's balance is what the account has once all of its tasks here have moved, without what the later ones gave back.
 * Ids of entries are drawn under the account's lock, so that in their order each balance follows from the one before.
 *
 * A refund by anybody but the holder of the fence under which an end was kept (`end_if_abandoned`) gives way to that end, and takes the
 * next fence: whoever completes the task itself, for more, must not find its own fence there.
 *
 * An attempt may have been begun while this waited for its task's lock: its row is in no snapshot of this statement, and a function
 * ends it.
 *
 * Open rows are selected so that no partial index matches, which leaves the primary keys: a plan is made once, and
 * one that goes through all that is open, made while that was little, would be kept while it grows.
 *
 * What the vendor charges for the task is what it charges for the call that ended with it: those before were refused. A call
 * without a known end may have been charged, and so may an attempt that was refused after it had been accepted.
 * What became of a test's attempt is nobody's concern: no vendor charges for it, so none waits for an operator.
 *
 * What is known of a task comes along from one step to the next, and nothing is joined with what was joined before: planned for a row
 * or two, such joins compare each task of a batch with each.
 *
 * Each task may be named once. A row that is held for longer than `lockWaitMs` fails the statement.
 */
export const finishTasks: Statement<[items: readonly TaskToFinish[], lockWaitMs?: number], FinishRow> = {
  text: `
with item as materialized (
  select i.*, i.call_texts::jsonb as calls
  from unnest($1::text[], $2::int[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
      $10::text[], $11::boolean[], $12::text[], $13::text[])
    as i(task_id, fence, status, cost, result, usage, error, delivery_id, attempt, call_texts, only_unpaid, note, units)
  cross join (select set_config('lock_timeout', $14, true)) as waits
),
task as materialized (
  select t.id, t.status, t.family, t.model, t.is_test, t.created_at, t.trace_context, not t.awaits_key_slot and not t.parked as had_slot, t.channel_id,
    case when t.attempt_state is not null then t.attempt_id end as open_attempt,
    t.attempt_state is not null or (t.run_by_submitter and coalesce(k.kept -> 'calls', i.calls) is null) as is_asked,
    t.attempts_made > (t.attempt_state is not null)::int as has_moved_on,
    case when k.kept ? 'settled' then 'completed' else i.status end as end_status, case when k.kept ? 'settled' then null else i.error end as error,
    coalesce((k.kept #>> '{settled,costNano}')::bigint, i.cost) as cost,
    coalesce(k.kept #>> '{settled,units}', i.units) as units, coalesce(k.kept #>> '{settled,usage}', i.usage) as usage,
    coalesce(k.kept ->> 'attempt', i.attempt) as attempt, coalesce(k.kept -> 'calls', i.calls) as calls,
    coalesce(k.kept -> 'attempt', i.attempt::jsonb, k.kept #> '{calls,-1}', i.calls -> -1) as last_call,
    k.kept is not null as is_kept_end, coalesce(now() - (k.kept ->> 'keptAt')::timestamptz, '0') as kept_for, i.result, i.delivery_id, i.note
  from tasks t join item i on i.task_id = t.id
  cross join lateral (
    select case when i.status = 'failed' and t.end_if_abandoned ->> 'form' = '${KEPT_END_FORM}'
      and (t.end_if_abandoned ->> 'fence')::int is distinct from i.fence then t.end_if_abandoned end as kept
  ) k
  where (t.status in ('completed', 'failed')) is not true and (i.fence is null or t.fence = i.fence)
    and (not i.only_unpaid or (t.attempt_state is null and not t.run_by_submitter))
  order by t.id for update of t
),
resolved as (
  update reservations r
  set state = case t.end_status when 'completed' then 'settled' else 'refunded' end,
    settled_nano = case t.end_status when 'completed' then least(t.cost, r.amount_nano) end,
    units = t.units::jsonb, resolved_at = now(), channel_id = coalesce(t.last_call ->> 'channelId', t.channel_id),
    cost_nano = case
      when t.has_moved_on and exists (
        select from task_attempts a where a.task_id = t.id and a.state = 'refused' and a.cost_nano is null
      ) then null
      when t.last_call is not null then (t.last_call ->> 'costNano')::bigint
      when not t.is_asked then 0
    end + case when t.has_moved_on then (
      -- Vendors may charge for jobs that led to nothing.
      select coalesce(sum(a.cost_nano), 0)::bigint from task_attempts a where a.task_id = t.id and a.state = 'refused'
    ) else 0 end
  from task t
  where r.task_id = t.id and (r.state <> 'held') is not true
  returning r.task_id, r.account_id, r.key_id, r.amount_nano, r.state, coalesce(r.settled_nano, 0) as settled_nano,
    r.channel_id as paid_channel_id, r.cost_nano, greatest(t.cost - r.amount_nano, 0) as overrun,
    t.status as former_status, t.family, t.model, t.had_slot, t.open_attempt,
    t.end_status, t.result, t.usage, t.error, t.delivery_id, t.attempt, t.calls, t.is_kept_end, t.kept_for, t.note
),
account_locked as materialized (
  select a.id from accounts a where a.id in (select account_id from resolved) order by a.id for update
),
key_locked as materialized (
  select k.id, k.max_concurrent from api_keys k
  where k.id in (select key_id from resolved) and (select count(*) from account_locked) >= 0
  order by k.id for update
),
account_move as (
  update accounts a set held_nano = a.held_nano - m.held, settled_nano = a.settled_nano + m.settled
  from (
    select account_id, sum(amount_nano)::bigint as held, sum(settled_nano)::bigint as settled from resolved group by account_id
  ) m
  where a.id = m.account_id and (select count(*) from account_locked) >= 0
  returning a.id, a.topped_up_nano - a.held_nano - a.settled_nano as balance
),
balances as materialized (select jsonb_object_agg(id, balance) as by_account from account_move),
key_move as (
  update api_keys k set held_nano = k.held_nano - m.held, settled_nano = k.settled_nano + m.settled
  from (
    select key_id, sum(amount_nano)::bigint as held, sum(settled_nano)::bigint as settled from resolved group by key_id
  ) m
  where k.id = m.key_id and (select count(*) from key_locked) >= 0
),
entry as (
  insert into ledger_entries (account_id, key_id, task_id, kind, amount_nano, balance_after_nano)
  select r.account_id, r.key_id, r.task_id,
    case r.state when 'settled' then 'settle' else 'refund' end,
    case r.state when 'settled' then r.settled_nano else r.amount_nano end,
    (b.by_account ->> r.account_id)::bigint - coalesce(sum(r.amount_nano - r.settled_nano) over later, 0)
  from resolved r cross join balances b
  window later as (partition by r.account_id order by r.task_id rows between 1 following and unbounded following)
  order by r.task_id
),
overrun as (
  insert into overruns (task_id, amount_nano) select task_id, overrun from resolved where state = 'settled' and overrun > 0
),
terminal as materialized (
  update tasks t
  set status = r.end_status, fence = case when r.is_kept_end then next_fence(t.fence) else t.fence end, progress = 100, completed_at = now(), cost_nano = r.settled_nano,
    result = r.result::jsonb, usage = r.usage::jsonb, error = r.error::jsonb,
    lease_until = null, attempt_state = null, upstream_operation = null, end_if_abandoned = null, listener = null,
    channel_id = coalesce(r.calls #>> '{-1,channelId}', t.channel_id),
    attempts_made = t.attempts_made + coalesce(jsonb_array_length(r.calls), 0)
  from resolved r
  where t.id = r.task_id
  returning t.id, t.is_test, t.account_id, t.key_id, t.family, t.model, t.webhook, t.trace_context, t.created_at, r.delivery_id,
    r.attempt::jsonb as attempt, r.calls, r.kept_for, r.note, r.former_status, r.end_status, r.had_slot, r.open_attempt,
    r.overrun, r.amount_nano, r.settled_nano, r.paid_channel_id, r.cost_nano
),
attempt as (
  update task_attempts a
  set state = coalesce(x.state, 'unknown'), fault = x.fault,
    detail = case when x.state is null then 'the task ended first' else x.detail end,
    resolution = case when n.is_test and coalesce(x.state, 'unknown') = 'unknown' then 'not_paid' end,
    resolved_at = case when n.is_test and coalesce(x.state, 'unknown') = 'unknown' then now() end,
    usage = x.usage, answer = x.answer, cost_nano = x."costNano", cost_origin = x."costOrigin", ended_at = now(), request_ids = a.request_ids || coalesce(x."requestIds", '{}')
  from terminal n
  left join lateral jsonb_to_record(n.attempt)
    as x(id text, state text, fault text, detail text, usage jsonb, answer text, "costNano" bigint, "costOrigin" text,
      "requestIds" text[]) on true
  where a.task_id = n.id and (a.state not in ('starting', 'accepted')) is not true and a.id = coalesce(x.id, a.id)
  returning a.id
),
unseen as materialized (
  select end_unseen_attempt(open_attempt) from terminal
  where open_attempt is not null and open_attempt not in (select id from attempt)
),
made as (
  insert into task_attempts (id, task_id, number, channel_id, protocol, state, fault, detail, request_ids, usage,
    answer, cost_nano, cost_origin, started_at, ended_at, resolution, resolved_at)
  select c.id, n.id, c.number, c."channelId", c.protocol, c.state, c.fault, c.detail, coalesce(c."requestIds", '{}'),
    c.usage, c.answer, c."costNano", c."costOrigin",
    now() - n.kept_for - make_interval(secs => c."beganMsAgo" / 1000), now() - n.kept_for - make_interval(secs => c."endedMsAgo" / 1000),
    case when n.is_test and c.state = 'unknown' then 'not_paid' end, case when n.is_test and c.state = 'unknown' then now() end
  from terminal n
  cross join lateral jsonb_to_recordset(n.calls)
    as c(id text, number int, "channelId" text, protocol text, state text, fault text, detail text, "requestIds" text[],
      usage jsonb, answer text, "costNano" bigint, "costOrigin" text, "beganMsAgo" float8, "endedMsAgo" float8)
),
delivery as (
  insert into webhook_deliveries (id, task_id, account_id, url, trace_context)
  select delivery_id, id, account_id, webhook, trace_context from terminal where webhook is not null
),
noted as (
  insert into audit_log (actor, action, subject, detail, idempotency_key, request_hash)
  select n.actor, n.action, e.id, jsonb_strip_nulls(jsonb_build_object('reason', n.reason)) || jsonb_build_object(
      'before', jsonb_build_object('status', e.former_status),
      'after', jsonb_build_object('status', e.end_status, 'refunded_nano', (e.amount_nano - e.settled_nano)::text,
        'delivery_id', case when e.webhook is not null then e.delivery_id end)),
    n.key, decode(n.hash, 'hex')
  from terminal e
  cross join lateral jsonb_to_record(e.note::jsonb) as n(actor text, action text, reason text, key text, hash text)
  where e.note is not null
)
select id as task_id, case when webhook is not null then delivery_id end as delivery_id, coalesce(overrun, 0) as overrun,
  end_status as status, family,
  case when had_slot and key_id in (select id from key_locked where max_concurrent is not null) then key_id end as freed_of_key,
  model, is_test, paid_channel_id as channel_id, settled_nano, cost_nano, extract(epoch from now() - created_at)::float8 as seconds,
  trace_context
from terminal
where (select count(*) from unseen) >= 0`,
  values: (items, lockWaitMs = LOCK_WAIT_MS) => [
    items.map((item) => item.taskId),
    items.map((item) => item.fence),
    items.map((item) => item.status),
    items.map((item) => item.costNano),
    items.map((item) => item.result),
    items.map((item) => item.usage),
    items.map((item) => item.error),
    items.map((item) => item.deliveryId),
    items.map((item) => item.attempt),
    items.map((item) => item.calls),
    items.map((item) => item.onlyUnpaid),
    items.map((item) => item.note),
    items.map((item) => item.units),
    String(lockWaitMs),
  ],
};
