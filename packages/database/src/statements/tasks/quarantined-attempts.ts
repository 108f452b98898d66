import type { Family, FaultCode, JsonObject, Nano, TaskId } from '@mediagate/contracts';
import { type Scanned, scanned } from '../../page';
import type { Statement } from '../../statement';
import { repriced } from '../billing/usage-days';
import { change, noteOf, withNote } from '../identity/note';

/** Whether the vendor charges for an attempt whose outcome nobody knows. */
export type Resolution = 'paid' | 'not_paid';

/** The answer that an operator got from the vendor. */
export interface AttemptResolution {
  resolution: Resolution;
  /** The vendor's charge if `paid`; undefined: the known charge, if there is one. */
  costNano?: Nano | undefined;
}

/** An attempt that ended without anybody knowing whether its vendor did the work. Its task was refunded. */
export interface QuarantinedAttempt {
  id: string;
  taskId: TaskId;
  accountId: string;
  family: Family;
  model: string;
  channelId: string;
  protocol: string;
  /** The key is a test key. */
  isTest: boolean;
  /** The vendor's id of the job, if it is known. */
  externalId: string | null;
  fault: FaultCode | null;
  detail: string | null;
  requestIds: string[];
  usage: JsonObject | null;
  /** The vendor's charge; null: not known. */
  costNano: Nano | null;
  /** The amount that the account got back. */
  refundedNano: Nano;
  startedAt: Date;
  endedAt: Date | null;
  resolution: Resolution | null;
  resolvedAt: Date | null;
}

const COLUMNS = `
  a.id, a.task_id as "taskId", t.account_id as "accountId", t.family, t.model, a.channel_id as "channelId", a.protocol,
  t.is_test as "isTest", a.external_id as "externalId", a.fault, a.detail, a.request_ids as "requestIds", a.usage,
  a.cost_nano as "costNano", case t.status when 'failed' then t.reserved_nano else 0 end as "refundedNano",
  a.started_at as "startedAt", a.ended_at as "endedAt", a.resolution, a.resolved_at as "resolvedAt"`;

export interface QuarantineRows {
  before: string;
  limit: number;
  /** True: only attempts of test keys; false: only the others. */
  isTest: boolean;
  /** Rows of the index that one page looks at: only the task says whether an attempt is of a test key. */
  scanRows: number;
}

/** Lists attempts before an id, the newest first. Each is judged by its task. */
const listed = (which: string): Statement<[page: QuarantineRows], Scanned<QuarantinedAttempt>> => {
  const source = `select a.id from task_attempts a where ${which} and a.id < $1 order by a.id desc limit $4`;
  const row = `
    select ${COLUMNS} from task_attempts a join tasks t on t.id = a.task_id where a.id = c.id and t.is_test = $3`;
  return {
    text: scanned({ source, row, limit: '$2', rows: '$4' }),
    values: ({ before, limit, isTest, scanRows }) => [before, limit, isTest, scanRows],
  };
};

export const listQuarantined = listed(`a.state = 'unknown'`);

/** Lists the attempts that nobody has resolved. */
export const listUnresolved = listed(`a.state = 'unknown' and a.resolution is null`);

/**
 * Writes down the vendor's answer to an operator, and the task's cost that follows from it. No money of the account moves: its task
 * has ended, and its fence never moves again. The state is checked under the row's lock, so that an attempt is resolved once. No row:
 * there is no such attempt, its outcome is known, or it was resolved before.
 */
export const resolveAttempt = change<[id: string, verdict: AttemptResolution]>({
  text: withNote(`
old as materialized (
  select a.id, a.task_id, a.state, a.resolution, a.cost_nano::text as cost_nano from task_attempts a
  where a.id = $2 and a.state = 'unknown' and a.resolution is null
    and exists (select from tasks t where t.id = a.task_id and t.status in ('completed', 'failed'))
  for update
),
new as (
  update task_attempts a set resolution = $3, resolved_at = now(),
    cost_nano = case $3 when 'not_paid' then 0 else coalesce($4::bigint, a.cost_nano) end,
    cost_origin = case when $3 = 'not_paid' or $4::bigint is not null then 'resolved' else a.cost_origin end
  from old where a.id = old.id
  returning a.id, a.task_id, a.state, a.resolution, a.cost_nano::text as cost_nano
),
${repriced('new').trim()},
changed as (
  select new.id as subject, to_jsonb(old) - 'id' as before, to_jsonb(new) - 'id' as after from new join old on old.id = new.id
)`),
  values: (id, { resolution, costNano }, request) => [
    noteOf('attempt.resolve', request),
    id,
    resolution,
    costNano ?? null,
  ],
});
