import type { Statement } from '../../statement';
import { change, noteOf, UNLESS_UNCHANGED, withNote } from '../identity/note';
import { IS_REACHABLE } from './tell-notices';

export interface NewNoticeTarget {
  id: string;
  owner: string;
  medium: string;
  address: string;
  kinds: readonly string[];
  language: string;
  secret: string | null;
}

export interface TargetLimits {
  /** Targets of an owner at once. */
  maxTargets: number;
  /** Targets that an owner may have had in a day, removed ones included. */
  maxPerDay: number;
}

/** A target for the audit log: of a URL its host alone, as the rest may be a secret. */
const SNAPSHOT = `jsonb_build_object('id', t.id, 'owner', t.owner, 'medium', t.medium, 'address', case t.medium
    when 'email' then t.address else substring(t.address from '^[a-z]+://[^/?]+') end, 'kinds', t.kinds, 'language', t.language)`;

/** No row: the owner has as many as it may have, or, of mail, no user of the account is proven to have that address. */
export const addNoticeTarget = change<[target: NewNoticeTarget, limits: TargetLimits]>({
  text: withNote(`
held as materialized (select * from count_notice_targets($3)),
added as (
  insert into notice_targets as t (id, owner, medium, address, kinds, language, secret)
  select t.* from (select $2::text, $3::text, $4::text, $5::text, $6::text[], $7::text, $8::text) as t(id, owner, medium, address, kinds, language, secret), held
  where held.present < $9 and held.today < $10 and ${IS_REACHABLE}
  returning t.id, ${SNAPSHOT} as after
),
changed as (select id as subject, null::jsonb as before, after from added)`),
  values: ({ id, owner, medium, address, kinds, language, secret }, { maxTargets, maxPerDay }, request) => [
    noteOf('notice_target.add', request),
    id,
    owner,
    medium,
    address,
    kinds,
    language,
    secret,
    maxTargets,
    maxPerDay,
  ],
});

/** Undefined fields stay as they are. An address has a secret of its own: another one is another target. */
export interface NoticeTargetChange {
  kinds?: readonly string[] | undefined;
  language?: string | undefined;
}

/** No row: the owner has no such target. */
export const changeNoticeTarget = change<[target: { id: string; owner: string }, change: NoticeTargetChange]>({
  text: withNote(
    `
old as materialized (
  select t.id, ${SNAPSHOT} as state from notice_targets t where t.id = $2 and t.owner = $3 and t.removed_at is null for update
),
changed as (
  update notice_targets t set kinds = coalesce($4::text[], t.kinds), language = coalesce($5, t.language) from old where t.id = old.id
  returning t.id as subject, old.state as before, ${SNAPSHOT} as after
)`,
    UNLESS_UNCHANGED,
  ),
  values: ({ id, owner }, { kinds, language }, request) => [
    noteOf('notice_target.update', request),
    id,
    owner,
    kinds ?? null,
    language ?? null,
  ],
});

/** No row: the owner has no such target. What has not been sent to it is not sent any more. */
export const removeNoticeTarget = change<[id: string, owner: string]>({
  text: withNote(`
removed as (
  update notice_targets t set removed_at = now() where t.id = $2 and t.owner = $3 and t.removed_at is null
  returning t.id, ${SNAPSHOT} as state
),
dropped as (
  update notice_messages m
  set state = 'dropped', reason = 'target_removed', ended_at = now(), next_attempt_at = null, lease_until = null, fence = next_fence(m.fence)
  from removed r where m.target_id = r.id and m.state = 'pending'
),
changed as (select id as subject, state as before, jsonb_build_object('removed', true) as after from removed)`),
  values: (id, owner, request) => [noteOf('notice_target.remove', request), id, owner],
});

/**
 * A message without a notice. No row: the owner has no such target, has asked for as many tests as it may in a day, or the address was
 * tested a moment ago, or has a test that has not ended, by whichever target.
 */
export const testNoticeTarget = change<[target: { id: string; owner: string }, maxPerDay: number]>({
  text: withNote(`
held as materialized (select * from count_notice_targets($3)),
message as (
  insert into notice_messages (id, target_id, is_test, notices)
  select 'message_' || replace(gen_random_uuid()::text, '-', ''), t.id, true, '[]' from notice_targets t cross join held
  where t.id = $2 and t.owner = $3 and t.removed_at is null and ${IS_REACHABLE} and t.address <> all(held.tested)
    and held.tests < $4
  returning id, target_id
),
changed as (
  select m.target_id as subject, null::jsonb as before, jsonb_build_object('message', m.id) as after from message m
)`),
  values: ({ id, owner }, maxPerDay, request) => [noteOf('notice_target.test', request), id, owner, maxPerDay],
});

/** Tests that an owner has asked for within a day. */
export const countNoticeTests: Statement<[owner: string], { tests: number }> = {
  text: 'select tests::int from count_notice_targets($1)',
  values: (owner) => [owner],
};

export interface ListedTarget {
  id: string;
  owner: string;
  medium: string;
  address: string;
  kinds: string[];
  language: string;
  secret: string | null;
  createdAt: Date;
  /** False: of mail, nobody who may have it is proven to have that address. */
  isReachable: boolean;
  /** The state of the newest message; null: there is none. */
  lastState: string | null;
  lastReason: string | null;
  lastAt: Date | null;
}

/** Lists an owner's targets, or one of them. */
export const listNoticeTargets: Statement<[owner: string, id: string | null], ListedTarget> = {
  text: `
select t.id, t.owner, t.medium, t.address, t.kinds, t.language, t.secret, t.created_at as "createdAt",
  ${IS_REACHABLE} as "isReachable", m.state as "lastState", m.reason as "lastReason", m.created_at as "lastAt"
from notice_targets t
left join lateral (
  select m.state, m.reason, m.created_at from notice_messages m
  where m.target_id = t.id order by m.created_at desc limit 1
) m on true
where t.owner = $1 and t.removed_at is null and ($2::text is null or t.id = $2)
order by t.created_at, t.id`,
  values: (owner, id) => [owner, id],
};
