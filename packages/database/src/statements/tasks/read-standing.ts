import type { Nano } from '@mediagate/contracts';
import type { Statement } from '../../statement';

/** Matters that wait for an operator, or for somebody to notice. */
export interface Standing {
  /** Active accounts that were topped up once and have less than that. */
  lowBalances: number;
  /** Attempts whose outcome nobody knows, and nobody has resolved; none of test keys. */
  quarantined: number;
  /** How long the oldest message of notices that is not sent has waited; 0: none waits. */
  oldestNoticeSeconds: number;
  /** Callbacks that could be sent now and are not. */
  dueDeliveries: number;
  /** How long the oldest of them has been due; 0: there is none. */
  oldestDeliverySeconds: number;
}

/** Bounds what a backlog costs to look at. What is due longest is among them. */
const MAX_COUNTED = 10_000;

/** The balances are summed up from every account's row: an index of balances would make each booking write to it. */
export const readStanding: Statement<[options: { lowBalanceNano: Nano }], Standing> = {
  text: `
select
  (select count(*)::int from accounts
    where state = 'active' and topped_up_nano > 0 and topped_up_nano - held_nano - settled_nano < $1) as "lowBalances",
  (select count(*)::int from (
    select from task_attempts a
    where a.state = 'unknown' and a.resolution is null and exists (select from tasks t where t.id = a.task_id and not t.is_test)
    limit ${MAX_COUNTED}
  ) q) as quarantined,
  (select coalesce(extract(epoch from now() - min(m.created_at)), 0)::float8 from notice_messages m where m.state = 'pending')
    as "oldestNoticeSeconds",
  count(*)::int as "dueDeliveries",
  coalesce(extract(epoch from now() - min(d.since)), 0)::float8 as "oldestDeliverySeconds"
from (
  select greatest(next_attempt_at, lease_until) as since from webhook_deliveries
  where state = 'pending' and next_attempt_at <= now() and (lease_until is null or lease_until <= now())
  order by next_attempt_at limit ${MAX_COUNTED}
) d`,
  values: ({ lowBalanceNano }) => [lowBalanceNano],
};

export interface TakenSlots {
  channelId: string;
  jobs: number;
}

/** Channels that have jobs, as `begin_limited_attempt` counts them. */
export const countTakenSlots: Statement<[], TakenSlots> = {
  text: `
select a.channel_id as "channelId", count(*)::int as jobs
from (
  select channel_id, task_id, answered_fence from task_attempts where state in ('starting', 'accepted') order by channel_id limit ${MAX_COUNTED}
) a
join tasks t on t.id = a.task_id
where not t.parked and (a.answered_fence = t.fence) is not true
group by a.channel_id`,
  values: () => [],
};
