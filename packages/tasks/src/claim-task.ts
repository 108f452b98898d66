import type { JsonObject, Nano, TaskId } from '@mediagate/contracts';
import { createBatcher, type Database, type Statement } from '@mediagate/database';
import { IS_OPEN, TASK_COLUMNS, type TaskRow } from './task-row';

const MAX_BATCH_ITEMS = 64;
const MAX_WAITING_ITEMS = 5000;
/** A wake-up may arrive a little before its time, because two clocks are involved. */
const EARLY_MS = 250;
/**
 * How long a task that its key's concurrency limit holds back waits before it asks again. It is woken when another of its
 * key ends; this is for when that wake-up is lost.
 */
const HELD_BACK_MS = 10_000;

/** What a worker needs to take the next step; it belongs to that worker until the lease ends. */
export interface ClaimedTask extends TaskRow {
  input: JsonObject;
  rates: Record<string, Nano>;
  failedSteps: number;
  /** Over its whole life. */
  lostSteps: number;
  attempt: { id: string; state: 'starting' | 'accepted'; channelId: string; operation: JsonObject | null } | undefined;
  attemptsMade: number;
  triedChannels: string[];
  /** Cannot carry it, whenever they are asked. */
  barredChannels: string[];
  /** By the database's clock. */
  msToDeadline: number;
  /** Its key may run only so many at once: when it ends, another may wait for its place. */
  limited: boolean;
}

export type ClaimOutcome =
  | { kind: 'claimed'; task: ClaimedTask }
  /** Ended, leased to another worker, not due, or unknown: the job that asked has nothing to do. */
  | { kind: 'not_claimable' }
  /** The key runs as many tasks of this family as it may; the task was put off. */
  | { kind: 'held_back'; retryAfterMs: number };

const CLAIMED_COLUMNS = `${TASK_COLUMNS}, t.input, t.rates, t.failed_steps as "failedSteps", t.lost_steps as "lostSteps", t.attempts_made as "attemptsMade",
  t.attempt_id as "attemptId", t.attempt_state as "attemptState", t.channel_id as "channelId",
  t.upstream_operation as "upstreamOperation", t.tried_channels as "triedChannels", t.barred_channels as "barredChannels",
  extract(epoch from t.deadline_at - now())::float8 * 1000 as "msToDeadline"`;

/**
 * Takes tasks under a lease and a new fence. Tasks of keys with a concurrency limit are only named here, because counting
 * the others needs a lock on the key first (CLAIM_LIMITED does that).
 */
const CLAIM: Statement = {
  name: 'tasks.claim',
  text: `
with due as materialized (
  select t.id, k.max_concurrent is not null as limited, t.status = 'submitted' and k.max_concurrent is not null as counted
  from tasks t join api_keys k on k.id = t.key_id
  where t.id = any($1::text[]) and ${IS_OPEN}
    and (t.lease_until is null or t.lease_until < now())
    and t.next_step_at <= now() + make_interval(secs => ${EARLY_MS / 1000}) and t.deadline_at > now()
  order by t.id for update of t
),
claimed as (
  update tasks t
  set fence = t.fence + 1,
    -- A lease that lapsed is a step that died with its worker: what kills workers must not do so for ever.
    lost_steps = t.lost_steps + (t.lease_until is not null)::int, lease_until = now() + make_interval(secs => $2::float8 / 1000),
    status = case t.status when 'submitted' then 'pending' else t.status end,
    started_at = coalesce(t.started_at, now())
  from due d where t.id = d.id and not d.counted
  returning ${CLAIMED_COLUMNS}, d.limited
)
select c.*, false as counted from claimed c
union all
select ${CLAIMED_COLUMNS}, d.limited, true as counted from tasks t join due d on d.id = t.id where d.counted`,
};

const CLAIM_LIMITED: Statement = {
  name: 'tasks.claim_limited',
  text: `select ${CLAIMED_COLUMNS}, true as limited from claim_limited_task($1, $2::float8 / 1000) t`,
};

const HOLD_BACK: Statement = {
  name: 'tasks.hold_back',
  text: `
update tasks t set next_step_at = now() + make_interval(secs => $2::float8 / 1000)
where t.id = $1 and (t.status <> 'submitted') is not true and (t.lease_until is null or t.lease_until < now())`,
};

interface ClaimedColumns extends TaskRow {
  input: JsonObject;
  rates: Record<string, string>;
  failedSteps: number;
  lostSteps: number;
  attemptsMade: number;
  attemptId: string | null;
  attemptState: 'starting' | 'accepted' | null;
  channelId: string | null;
  upstreamOperation: JsonObject | null;
  triedChannels: string[];
  barredChannels: string[];
  msToDeadline: number;
  limited: boolean;
}

/** True: not claimed yet, because the others of its key must be counted first. */
interface Counted {
  counted: boolean;
}

/** Claims one task; claims that come together share one statement. `leaseMs` must exceed the longest unrenewed step. */
export function createTaskClaimer(database: Database, leaseMs: number): (id: TaskId) => Promise<ClaimOutcome> {
  const claimTogether = createBatcher<TaskId, (ClaimedColumns & Counted) | undefined>({
    maxItems: MAX_BATCH_ITEMS,
    maxWaiting: MAX_WAITING_ITEMS,
    run: async (ids) => {
      const rows = await database.query<ClaimedColumns & Counted>(CLAIM, [ids, leaseMs]);
      const byId = new Map(rows.map((row) => [row.id, row]));
      // A task named twice in a batch was claimed once: only the first to ask has it.
      return ids.map((id) => {
        const row = byId.get(id);
        byId.delete(id);
        return row;
      });
    },
  });

  return async (id) => {
    const row = await claimTogether(id);
    if (!row) return { kind: 'not_claimable' };
    const { counted, ...columns } = row;
    if (!counted) return { kind: 'claimed', task: toClaimedTask(columns) };
    const [claimed] = await database.query<ClaimedColumns>(CLAIM_LIMITED, [id, leaseMs]);
    if (claimed) return { kind: 'claimed', task: toClaimedTask(claimed) };
    await database.query(HOLD_BACK, [id, HELD_BACK_MS]);
    return { kind: 'held_back', retryAfterMs: HELD_BACK_MS };
  };
}

function toClaimedTask(columns: ClaimedColumns): ClaimedTask {
  const { attemptId, attemptState, channelId, upstreamOperation, rates, ...row } = columns;
  const underWay = attemptId !== null && attemptState !== null && channelId !== null;
  return {
    ...row,
    rates: Object.fromEntries(Object.entries(rates).map(([unit, nano]) => [unit, BigInt(nano)])),
    attempt: underWay ? { id: attemptId, state: attemptState, channelId, operation: upstreamOperation } : undefined,
  };
}
