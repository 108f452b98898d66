-- Marks the submissions that must not be booked: those that were booked before, and those of accounts or keys that may not submit. The others
-- return without a decision, with the money that their account and key have. The caller has locked the rows that decide.
--
-- A task id that exists already is the same submission, sent again because the connection broke around its commit. A submission that
-- continues a parent is refused when that one has ended, or another submission continued it first.
--
-- `is not true` keeps look-ups on primary keys: no partial index matches it, and the plan is made only once. An index over
-- all that is open or alive, chosen while it was small, would be kept while it grows.
CREATE OR REPLACE FUNCTION judge_bookings(
  task_ids text[], account_ids text[], key_ids text[], amounts bigint[], idempotency_key_texts text[], request_hashes bytea[], payloads text[]
) RETURNS booking[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
RETURN ARRAY(
  with sent as materialized (
    select i.*, i.payload::jsonb as fields
    from unnest(task_ids, account_ids, key_ids, amounts, idempotency_key_texts, request_hashes, payloads)
      with ordinality as i(task_id, account_id, key_id, amount, idempotency_key, request_hash, payload, ordinal)
  ),
  account as materialized (
    select a.id, a.state, a.held_nano, a.topped_up_nano - a.held_nano - a.settled_nano as balance
    from accounts a where a.id in (select account_id from sent)
  ),
  api_key as materialized (
    select k.id, k.account_id, k.held_nano, k.max_concurrent, k.is_test, o.id as owner_id,
      k.quota_nano - k.held_nano - k.settled_nano as own_available, shared_quota_left(o) as shared_available
    from api_keys k join api_keys o on o.id = coalesce(k.maker_id, k.id)
    where k.id in (select key_id from sent) and k.revoked_at is null and o.revoked_at is null
      and (least(k.expires_at, o.expires_at) <= now()) is not true
  ),
  judged as materialized (
    select s.*, a.balance, a.held_nano as account_held, k.held_nano as key_held, k.own_available, k.shared_available, k.owner_id, k.is_test,
      k.max_concurrent, t.reserved_nano, e.task_id as earlier_task_id, case when s.fields ? 'continuesParent' then s.fields->>'parentTaskId' end as parent_id,
      case
        when t.id is not null then 'accepted'
        when e.task_id is not null then case when e.request_hash = s.request_hash then 'replayed' else 'conflict' end
        when s.fields ? 'continuesParent' and not may_be_continued(s.fields->>'parentTaskId') then 'continued'
        when a.state <> 'active' then 'account_' || a.state
        when k.id is null then 'key_unknown'
      end as decision
    from sent s
    left join account a on a.id = s.account_id
    left join api_key k on k.id = s.key_id and k.account_id = a.id
    left join lateral (select t.id, t.reserved_nano from tasks t where t.id = s.task_id offset 0) t on true
    left join lateral (
      select x.task_id, x.request_hash from idempotency_keys x
      where x.key_id = s.key_id and x.idempotency_key = s.idempotency_key and (x.expires_at <= now()) is not true offset 0
    ) e on true
  )
  select row(j.ordinal, j.task_id, j.account_id, j.key_id, j.owner_id, j.idempotency_key, j.request_hash, j.fields, j.is_test,
    coalesce(j.reserved_nano, amount_to_hold(j.fields, least(j.amount, j.own_available, j.shared_available), j.balance), j.amount),
    j.balance, j.account_held, j.own_available, j.shared_available, least(j.own_available, j.shared_available), j.key_held,
    case when j.fields ?| '{waitsForSlot,queuesForSlot}' then j.max_concurrent end,
    row_number() over (partition by j.decision is null, j.key_id, coalesce(j.idempotency_key, j.task_id) order by j.ordinal) = 1
      and row_number() over (partition by j.decision is null, coalesce(j.parent_id, j.task_id) order by j.ordinal) = 1,
    j.decision, j.earlier_task_id)::booking
  from judged j order by j.ordinal
);
END $$;
