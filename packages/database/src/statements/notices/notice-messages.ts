import type { Statement } from '../../statement';
import type { ReportedNotice } from './tell-notices';
import { OPERATORS } from './watch-for';

/** A message that this process may send until its lease ends; the attempt is counted already. */
export interface ClaimedMessage {
  id: string;
  fence: number;
  /** This attempt included. */
  attemptsMade: number;
  isTest: boolean;
  notices: ReportedNotice[];
  /** Notices that did not fit. */
  more: number;
  createdAt: Date;
  /** The start by the database's clock. */
  startedAt: Date;
  targetId: string;
  owner: string;
  medium: string;
  address: string;
  language: string;
  /** The secrets that sign a webhook, the current one first. Never log them. */
  secrets: string[];
}

export interface ClaimRules {
  limit: number;
  /** How many of them may go to accounts. */
  accountLimit: number;
  /** Messages under way at once, in all processes: of one account, and to one target of operators. */
  share: number;
  /** Messages under way to one host: more than `share`, so that one account's receivers there hold up no other's. */
  hostShare: number;
  leaseMs: number;
}

// Times are stored rounded to a millisecond, so a due row may be up to one millisecond in the future.
/**
 * Messages that are due and that no process sends, those to operators first. One whose outcome is never recorded is due again when
 * its lease ends. Hosts are counted among what accounts may have sent now, apart from those of operators: else who waits for a place
 * of their own would keep others from a host. Two processes that claim at the same moment may exceed a host's share, each by its own.
 *
 * Reads what is under way, and of each target with messages as many due ones as its share: however many wait, one owner adds no more
 * than its targets times its share. `waiting` goes from target to target by the index.
 */
export const claimNoticeMessages: Statement<[rules: ClaimRules], ClaimedMessage> = {
  text: `
with recursive waiting as (
  (select m.target_id from notice_messages m where m.state = 'pending' order by m.target_id limit 1)
  union all
  select (select m.target_id from notice_messages m where m.state = 'pending' and m.target_id > w.target_id order by m.target_id limit 1)
  from waiting w where w.target_id is not null
),
open as (
  select m.id, m.target_id, m.next_attempt_at, true as is_under_way from notice_messages m
  where m.state = 'pending' and m.lease_until is not null and m.lease_until > now()
  union all
  select first.id, first.target_id, first.next_attempt_at, false
  from waiting w cross join lateral (
    select m.id, m.target_id, m.next_attempt_at from notice_messages m
    where m.target_id = w.target_id and m.state = 'pending' and m.next_attempt_at <= now() + interval '1 millisecond'
      and (m.lease_until is null or m.lease_until <= now())
    order by m.next_attempt_at limit $4
  ) first
),
wanted as materialized (
  select m.id, m.next_attempt_at, m.is_under_way, t.owner = '${OPERATORS}' as to_operators,
    case t.owner when '${OPERATORS}' then t.id else t.owner end as sharer,
    case t.medium when 'email' then 'mail' else lower(substring(t.address from '^[^:]*:/*([^/?#]+)')) end as host
  from open m join notice_targets t on t.id = m.target_id
  where t.removed_at is null
),
by_sharer as (
  select w.*, row_number() over (partition by w.sharer order by w.is_under_way desc, w.next_attempt_at, w.id) as place from wanted w
),
by_host as (
  select s.*, row_number() over (partition by s.to_operators, s.host order by s.is_under_way desc, s.next_attempt_at, s.id) as host_place
  from by_sharer s where s.place <= $4
),
free as (
  select h.*, row_number() over (partition by h.to_operators order by h.next_attempt_at, h.id) as turn
  from by_host h where h.host_place <= $5 and not h.is_under_way
),
due as materialized (
  select m.id from free f join notice_messages m on m.id = f.id
  where (f.to_operators or f.turn <= $3) and m.state = 'pending' and (m.lease_until is null or m.lease_until <= now())
  order by f.to_operators desc, f.next_attempt_at limit $1 for update of m skip locked
)
update notice_messages m
set fence = next_fence(m.fence), attempts_made = m.attempts_made + 1, lease_until = now() + $2::float8 * interval '1 millisecond',
  next_attempt_at = now() + $2::float8 * interval '1 millisecond'
from due, notice_targets t left join accounts a on a.id = t.owner
where m.id = due.id and t.id = m.target_id and t.removed_at is null
returning m.id, m.fence, m.attempts_made as "attemptsMade", m.is_test as "isTest", m.notices, m.more, m.created_at as "createdAt",
  now() as "startedAt", t.id as "targetId", t.owner, t.medium, t.address, t.language,
  array_remove(array[t.secret, a.webhook_secret,
    case when a.webhook_secret_retires_at > now() then a.previous_webhook_secret end], null) as secrets`,
  values: ({ limit, accountLimit, share, hostShare, leaseMs }) => [limit, leaseMs, accountLimit, share, hostShare],
};

export interface MessageResult {
  id: string;
  fence: number;
  state: string;
  reason: string | null;
  retryAfterMs: number | null;
}

/** No row: another process has claimed it since. */
export const recordNoticeMessage: Statement<[result: MessageResult], { id: string }> = {
  text: `
update notice_messages m
set state = $3, reason = $4, lease_until = null, next_attempt_at = now() + $5::float8 * interval '1 millisecond',
  ended_at = case when $3 = 'pending' then null else now() end
where m.id = $1 and m.fence = $2 and m.state = 'pending'
returning m.id`,
  values: ({ id, fence, state, reason, retryAfterMs }) => [id, fence, state, reason, retryAfterMs],
};
