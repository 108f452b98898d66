import type { Family, FaultCode, JsonObject, Nano, TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { repriced } from '../billing/correct-usage';
import { type ChangedRow, type ChangeRequest, noteOf, withNote } from '../identity/note';

/** Whether the vendor charges for an attempt whose outcome nobody knows. */
export type Resolution = 'paid' | 'not_paid';

/** The answer that an operator got from the vendor. */
export interface Verdict {
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

/** A row without an id: nothing was found. Each row has the same `lookedUntil`. */
export interface QuarantineRow extends Omit<QuarantinedAttempt, 'id'> {
  id: string | null;
  /** Where the look ended before the page was full; null: it is full, or there is nothing further. */
  lookedUntil: string | null;
}

/** Lists attempts before an id, the newest first. One index brings ids, and each is judged by its task, until the page is full. */
const listed = (which: string): Statement<[page: QuarantineRows], QuarantineRow> => {
  const source = `select a.id, a.task_id from task_attempts a where ${which} and a.id < $1 order by a.id desc limit $4`;
  return {
    text: `
with found as materialized (
  select c.id from (${source}) c
  cross join lateral (select from tasks t where t.id = c.task_id and t.is_test = $3 limit 1) t
  order by c.id desc limit $2
),
scan as (
  select case when (select count(*) from found) < $2 then (
    select c.id from (${source}) c order by c.id desc offset $4 - 1 limit 1
  ) end as "lookedUntil"
)
select f.*, s."lookedUntil" from scan s
left join (
  select ${COLUMNS} from found join task_attempts a on a.id = found.id join tasks t on t.id = a.task_id
) f on true
order by f.id desc`,
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
export const resolveAttempt: Statement<[id: string, verdict: Verdict, request: ChangeRequest], ChangedRow> = {
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
};
