import type { Statement } from '../../statement';
import type { ReportedNotice } from './tell-notices';

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
  /** By the database's clock. */
  startedAt: Date;
  targetId: string;
  owner: string;
  medium: string;
  address: string;
  language: string;
  /** What signs a webhook, the current one first. Never to be logged. */
  secrets: string[];
}

// Times are stored rounded to a millisecond, so a due row may be up to one millisecond in the future.
/** Messages that are due and that no process sends. One whose outcome is never recorded is due again when its lease ends. */
export const claimNoticeMessages: Statement<[options: { limit: number; leaseMs: number }], ClaimedMessage> = {
  text: `
with due as materialized (
  select m.id from notice_messages m
  where m.state = 'pending' and m.next_attempt_at <= now() + interval '1 millisecond' and (m.lease_until is null or m.lease_until <= now())
  order by m.next_attempt_at limit $1 for update of m skip locked
)
update notice_messages m
set fence = m.fence + 1, attempts_made = m.attempts_made + 1, lease_until = now() + $2::float8 * interval '1 millisecond',
  next_attempt_at = now() + $2::float8 * interval '1 millisecond'
from due, notice_targets t left join accounts a on a.id = t.owner
where m.id = due.id and t.id = m.target_id
returning m.id, m.fence, m.attempts_made as "attemptsMade", m.is_test as "isTest", m.notices, m.more, m.created_at as "createdAt",
  now() as "startedAt", t.id as "targetId", t.owner, t.medium, t.address, t.language,
  array_remove(array[t.secret, a.webhook_secret,
    case when a.webhook_secret_retires_at > now() then a.previous_webhook_secret end], null) as secrets`,
  values: ({ limit, leaseMs }) => [limit, leaseMs],
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
