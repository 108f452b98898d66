-- Finds out how each task ends that is open under its item's fence, by rows that its caller has locked. The others have no ending.
--
-- A refund by anybody but the holder of the fence under which an end was kept (`end_if_abandoned`) gives way to that end. What was used beyond
-- the reservation is never charged: it is an overrun.
--
-- What the vendor charges for the task is what it charges for the call that ended with it: those before were refused. A call
-- without a known end may have been charged, and so may an attempt that was refused after it had been accepted.
--
-- `is not true` keeps look-ups on primary keys, as in `judge_bookings`.
CREATE OR REPLACE FUNCTION judge_endings(items jsonb, kept_form int) RETURNS ending[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
RETURN ARRAY(
  with found as materialized (
    select t.*, i."deliveryId" as delivery_id, i.note::jsonb as note, k.kept, case when k.kept ? 'settled' then 'completed' else i.status end as end_status,
      coalesce((k.kept #>> '{settled,costNano}')::bigint, i."costNano") as used_nano, i.result as end_result,
      case when k.kept ? 'settled' then null else i.error end as end_error,
      coalesce(k.kept #> '{settled,usage}', i.usage) as end_usage, coalesce(k.kept #> '{settled,units}', i.units) as units,
      coalesce(nullif(k.kept -> 'attempt', 'null'), i.attempt) as attempt, coalesce(k.kept -> 'calls', i.calls) as calls
    from jsonb_to_recordset(items) as i("taskId" text, fence int, "onlyUnpaid" boolean, status text, "costNano" bigint, units jsonb, result jsonb,
      usage jsonb, error jsonb, "deliveryId" text, attempt jsonb, calls jsonb, note text)
    cross join lateral (select * from tasks t where t.id = i."taskId" offset 0) t
    cross join lateral (
      select case when i.status = 'failed' and (t.end_if_abandoned ->> 'form')::int = kept_form
        and (t.end_if_abandoned ->> 'fence')::int is distinct from i.fence then t.end_if_abandoned end as kept
    ) k
    where (t.status in ('completed', 'failed')) is not true and (i.fence is null or t.fence = i.fence)
      and (not i."onlyUnpaid" or (t.attempt_state is null and not t.run_by_submitter))
  ),
  priced as materialized (
    select f.*, coalesce(f.attempt, f.calls -> -1) as last_call, r.amount_nano as held_nano,
      case f.end_status when 'completed' then least(f.used_nano, r.amount_nano) else 0 end as settled_nano,
      case f.end_status when 'completed' then greatest(f.used_nano - r.amount_nano, 0) else 0 end as overrun_nano
    from found f cross join lateral (
      select r.amount_nano from reservations r where r.task_id = f.id and (r.state <> 'held') is not true offset 0
    ) r
  )
  select row(p.id, p.account_id, p.key_id, p.status, p.end_status, p.family, p.model, p.is_test, p.created_at, p.webhook, p.trace_context,
    not p.awaits_key_slot and not p.parked, p.kept is not null, coalesce(now() - (p.kept ->> 'keptAt')::timestamptz, '0'), p.delivery_id,
    p.end_result, p.end_usage, p.end_error, p.units, p.attempt, p.calls, p.note, p.held_nano, p.settled_nano, p.overrun_nano,
    case
      when p.last_call is not null then (p.last_call ->> 'costNano')::bigint
      when p.attempt_state is null and not (p.run_by_submitter and p.calls is null) then 0
    end + case when p.attempts_made > (p.attempt_state is not null)::int then cost_of_refused_attempts(p.id) else 0 end,
    coalesce(p.last_call ->> 'channelId', p.channel_id))::ending
  from priced p order by p.id
);
END $$;
