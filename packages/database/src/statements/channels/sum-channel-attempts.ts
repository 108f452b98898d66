import { CALLERS_FAULTS, type FaultCode, type Nano } from '@mediagate/contracts';
import { MAX_BIGINT, type Statement } from '../../statement';
import { idBeforeMs } from '../tasks/after-ms';

/** How attempts ended, and how long they took. */
export interface AttemptSums {
  attempts: number;
  succeeded: number;
  refused: number;
  unknown: number;
  /** The duration of the attempts that succeeded; null: there is none. */
  medianMs: number | null;
  p95Ms: number | null;
  /** Attempts by the fault that ended them. */
  faults: Partial<Record<FaultCode, number>>;
}

/** The commonest detail of each fault, for operators. */
type FaultDetails = Partial<Record<FaultCode, string | null>>;

/** The sums of one channel's attempts that began in the time asked for. */
export interface ChannelAttempts extends AttemptSums {
  channelId: string;
  details: FaultDetails;
  /** Null: none has. */
  lastSucceededAt: Date | null;
  /** Successes after the last failure that its caller did not cause. */
  succeededSince: number;
  /** Charges to accounts for the tasks that it completed. */
  chargedNano: Nano;
  /** The vendor's charges for the attempts that have ended, as far as they are known, */
  costNano: Nano;
  /** and the number of those whose cost is not known. */
  costUnknown: number;
  /** Attempts that failed for a reason that is not their caller's, the accounts that they touched, and what the vendor charges for them. */
  failed: number;
  failedAccounts: number;
  /** Null: none failed. */
  firstFailedAt: Date | null;
  failedNano: Nano;
}

export interface AttemptsAsked {
  /** How far back, by the database's clock. */
  sinceMs: number;
  /** Rows that are looked at, the newest of all channels. */
  limit: number;
  /** Default: of every channel. */
  channelId?: string | undefined;
}

/** For a reason that is not its caller's. */
const HAS_FAILED = `a.state in ('refused', 'unknown')
    and (a.fault is null or a.fault not in (${CALLERS_FAULTS.map((fault) => `'${fault}'`).join(', ')}))`;

/**
 * Ids of attempts sort by the time they began, so the primary key finds them. Of more than `limit` the newest count; of one channel those among them.
 */
export const sumChannelAttempts: Statement<[asked: AttemptsAsked], ChannelAttempts> = {
  text: `
with attempt as materialized (
  select a.channel_id, a.state, a.fault, a.detail, a.task_id, a.cost_nano, a.ended_at,
    case when a.state = 'succeeded' then extract(epoch from a.ended_at - a.started_at) * 1000 end as duration_ms
  from (
    select a.channel_id, a.state, a.fault, a.detail, a.task_id, a.cost_nano, a.started_at, a.ended_at
    from task_attempts a where a.id >= 'att_' || ${idBeforeMs('$1')} order by a.id desc limit $2
  ) a
  where $3::text is null or a.channel_id = $3
),
fault as (
  select f.channel_id, jsonb_object_agg(f.fault, f.attempts) as faults, jsonb_object_agg(f.fault, f.detail) as details
  from (select channel_id, fault, count(*) as attempts, mode() within group (order by detail) as detail from attempt
    where fault is not null and state not in ('starting', 'accepted') group by 1, 2) f
  group by f.channel_id
),
last_failure as (
  select a.channel_id, max(a.ended_at) as at from attempt a where ${HAS_FAILED} group by a.channel_id
),
charge as (
  select a.channel_id, sum(r.settled_nano)::bigint as charged
  from attempt a join reservations r on r.task_id = a.task_id where a.state = 'succeeded' group by a.channel_id
),
failure as (
  select a.channel_id, count(*)::int as attempts, count(distinct r.account_id)::int as accounts, min(a.ended_at) as first_at,
    sum(a.cost_nano) as cost
  from attempt a left join reservations r on r.task_id = a.task_id
  where ${HAS_FAILED}
  group by a.channel_id
)
select a.channel_id as "channelId", count(*)::int as attempts, count(*) filter (where a.state = 'succeeded')::int as succeeded,
  count(*) filter (where a.state = 'refused')::int as refused, count(*) filter (where a.state = 'unknown')::int as unknown,
  (percentile_cont(0.5) within group (order by a.duration_ms))::float8 as "medianMs",
  (percentile_cont(0.95) within group (order by a.duration_ms))::float8 as "p95Ms",
  max(a.ended_at) filter (where a.state = 'succeeded') as "lastSucceededAt",
  count(*) filter (where a.state = 'succeeded' and (l.at is null or a.ended_at > l.at))::int as "succeededSince",
  coalesce((select f.faults from fault f where f.channel_id = a.channel_id), '{}') as faults,
  coalesce((select f.details from fault f where f.channel_id = a.channel_id), '{}') as details,
  coalesce((select c.charged from charge c where c.channel_id = a.channel_id), 0) as "chargedNano",
  least(coalesce(sum(a.cost_nano), 0), ${MAX_BIGINT})::bigint as "costNano",
  count(*) filter (where a.cost_nano is null and a.state not in ('starting', 'accepted'))::int as "costUnknown",
  coalesce((select f.attempts from failure f where f.channel_id = a.channel_id), 0) as failed,
  coalesce((select f.accounts from failure f where f.channel_id = a.channel_id), 0) as "failedAccounts",
  (select f.first_at from failure f where f.channel_id = a.channel_id) as "firstFailedAt",
  least(coalesce((select f.cost from failure f where f.channel_id = a.channel_id), 0), ${MAX_BIGINT})::bigint as "failedNano"
from attempt a left join last_failure l on l.channel_id = a.channel_id group by a.channel_id order by a.channel_id`,
  values: ({ sinceMs, limit, channelId }) => [sinceMs, limit, channelId ?? null],
};
