import type { JsonObject } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { IS_OF_INACTIVE, OPERATORS } from './watch-for';

/** A notice as it stands in a message. Amounts in nano-units, as decimal text; times as ISO 8601. */
export type ReportedNotice = {
  id: string;
  kind: string;
  state: 'standing' | 'resolved';
  /** It was reported before, and stands still. */
  repeated: boolean;
  subject: string;
  accountId: string | null;
  level: number;
  since: string;
  endedAt: string | null;
  figures: JsonObject;
};

/**
 * Holders of an account have mail sent to those of its users for whose address the provider of identities has vouched, and to nobody
 * else: an invitation by an owner proves no mailbox, because its link is the owner's to use.
 */
export const IS_REACHABLE = `(t.medium <> 'email' or t.owner = '${OPERATORS}' or exists (
    select from users u
    where u.account_id = t.owner and u.email = t.address and u.disabled_at is null and u.identity is not null
  ))`;

export interface TellRules {
  /** A notice that still stands is reported again after so long; 0: never. */
  repeatMinutes: number;
  /** A condition that ends and begins again is reported once within so long. */
  quietMinutes: number;
  /** A condition must have been over for so long. */
  settleMs: number;
  /** Kinds of notices, the worst first: they go, and stand in a message, in this order. */
  worstFirst: readonly string[];
  /** Notices in a message at most. */
  maxNotices: number;
  /** How many notices of a message to operators may be about keys: a caller has many keys, which must not crowd out other notices. */
  maxKeys: number;
  limit: number;
  /** Kinds of which nothing is reported now. */
  untoldKinds: readonly string[];
}

/** Minutes as their owner has them, or operators, or by default. */
const MINUTES = (column: string, parameter: string): string =>
  `make_interval(mins => coalesce(s.${column}, o.${column}, ${parameter}::int))`;
const IS_NEW = `(n.reported is distinct from 'standing' and (n.standing_reported_at <= now() - r.quiet) is not false)`;
const IS_HIGHER = `(n.reported = 'standing' and n.level > n.reported_level)`;
const IS_TO_REPEAT = `(n.reported = 'standing' and r.repeat > interval '0' and n.reported_at <= now() - r.repeat)`;
const IS_OVER = `(n.reported = 'standing' and n.ended_at <= now() - $3::float8 * interval '1 millisecond')`;

/**
 * Notes which notices are reported now, and writes a message for each target that they go to: one a target, so that a thousand at
 * once are no thousand messages. It is one statement: what is noted as reported is in a message, and no other process reports it
 * again.
 */
export const tellNotices: Statement<[rules: TellRules], { reported: number; messages: number }> = {
  text: `
with due as materialized (
  select n.id, n.ended_at is not null as is_over, (n.ended_at is null and ${IS_TO_REPEAT} and not ${IS_HIGHER}) is true as is_repeated
  from notices n
  cross join (select s.* from (select) one left join notice_settings s on s.owner = '${OPERATORS}') o
  left join notice_settings s on s.owner = n.owner
  cross join lateral (
    select ${MINUTES('repeat_minutes', '$1')} as repeat, ${MINUTES('quiet_minutes', '$2')} as quiet
  ) r
  where n.closed_at is null and n.kind <> all($8::text[]) and not ${IS_OF_INACTIVE}
    and ((n.ended_at is null and (${IS_NEW} or ${IS_HIGHER} or ${IS_TO_REPEAT})) or ${IS_OVER})
  order by array_position($6::text[], n.kind), n.id limit $5 for update of n skip locked
),
reported as (
  update notices n
  set reported = case when d.is_over then 'resolved' else 'standing' end, reported_at = now(),
    standing_reported_at = case when d.is_over then n.standing_reported_at else now() end,
    reported_level = case when d.is_over then n.reported_level else greatest(n.reported_level, n.level) end
  from due d where n.id = d.id
  returning n.id, n.owner, n.kind, jsonb_build_object('id', 'notice_' || n.id, 'kind', n.kind, 'state', n.reported,
    'repeated', d.is_repeated, 'subject', n.subject, 'accountId', n.account_id, 'level', n.level, 'since', n.since,
    'endedAt', n.ended_at, 'figures', n.figures) as notice
),
addressed as (
  select t.id as target_id, c.id, c.kind, c.notice, count(*) over (partition by t.id) as total,
    c.owner = '${OPERATORS}' and c.kind = 'key_quota' and row_number() over (partition by t.id, c.kind order by c.id) > $7 as is_left_out
  from reported c
  join notice_targets t on t.owner = c.owner and t.removed_at is null and (t.kinds = '{}' or c.kind = any(t.kinds))
    and ${IS_REACHABLE}
),
placed as (
  select a.target_id, a.notice, a.total, row_number() over (partition by a.target_id order by array_position($6::text[], a.kind), a.id) as place
  from addressed a where not a.is_left_out
),
message as (
  insert into notice_messages (id, target_id, notices, more)
  select 'message_' || replace(gen_random_uuid()::text, '-', ''), p.target_id,
    jsonb_agg(p.notice order by p.place) filter (where p.place <= $4),
    max(p.total) - least($4, count(*))
  from placed p group by p.target_id
  returning id
)
select (select count(*)::int from reported) as reported, (select count(*)::int from message) as messages`,
  values: ({ repeatMinutes, quietMinutes, settleMs, worstFirst, maxNotices, maxKeys, limit, untoldKinds }) => [
    repeatMinutes,
    quietMinutes,
    settleMs,
    maxNotices,
    limit,
    worstFirst,
    maxKeys,
    untoldKinds,
  ],
};

/** Whatever it was about is no more, so that nothing of it is over or stands. */
const IS_GONE = `(exists (select from accounts a where a.id = n.account_id and a.state = 'closed')
    or n.kind = 'key_quota' and exists (select from api_keys k where k.id = n.subject and (k.revoked_at is not null or k.expires_at <= now())))`;

/**
 * Closes what is over, was reported as over, and would be reported anew if it began again; until then it is one notice. So it closes
 * what is about nothing any more. A level that is lower after the quiet time is reported anew when it rises. Forgets what was closed,
 * and messages that have ended, long ago; drops those to targets that were removed while they were written.
 */
export const tidyNotices: Statement<
  [rules: Pick<TellRules, 'quietMinutes' | 'settleMs'> & { keptDays: number }],
  { closed: number; forgotten: number }
> = {
  text: `
with forgotten as (
  delete from notices n where n.closed_at < now() - make_interval(days => $3::int) returning n.id
),
forgotten_messages as (
  delete from notice_messages m where m.created_at < now() - make_interval(days => $3::int) and m.state <> 'pending' returning m.id
),
dropped_messages as (
  update notice_messages m set state = 'dropped', reason = 'target_removed', ended_at = now(), next_attempt_at = null, lease_until = null,
    fence = next_fence(m.fence)
  from notice_targets t where t.id = m.target_id and m.state = 'pending' and t.removed_at is not null
),
quiet as materialized (
  select n.id, (n.standing_reported_at <= now() - make_interval(mins => coalesce(s.quiet_minutes, o.quiet_minutes, $1::int))) is not false as is_over
  from notices n
  cross join (select s.* from (select) one left join notice_settings s on s.owner = '${OPERATORS}') o
  left join notice_settings s on s.owner = n.owner
  where n.closed_at is null
),
closed as (
  update notices n set closed_at = now(), ended_at = coalesce(n.ended_at, now()) from quiet q
  where n.id = q.id and n.closed_at is null and (${IS_GONE}
    or q.is_over and n.ended_at <= now() - $2::float8 * interval '1 millisecond' and n.reported is distinct from 'standing')
  returning n.id
),
lowered as (
  update notices n set reported_level = n.level from quiet q
  where n.id = q.id and q.is_over and n.closed_at is null and n.ended_at is null and n.level < n.reported_level and not ${IS_GONE}
)
select (select count(*)::int from closed) as closed,
  (select count(*)::int from forgotten) + (select count(*)::int from forgotten_messages) as forgotten`,
  values: ({ quietMinutes, settleMs, keptDays }) => [quietMinutes, settleMs, keptDays],
};
