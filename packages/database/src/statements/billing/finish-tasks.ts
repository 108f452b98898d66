import type { Family, JsonObject, Nano, TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import { KEPT_END_FORM } from '../tasks/task-row';

/** The longest wait for a row that somebody else has locked. */
const LOCK_WAIT_MS = 2000;

/** How a task is to end; `prisma/functions/complete_tasks.sql` says what each field means. */
export interface TaskToFinish {
  taskId: TaskId;
  fence: number | null;
  onlyUnpaid: boolean;
  status: 'completed' | 'failed';
  /** Nano-units, as decimal text. */
  costNano: string;
  units?: Readonly<Record<string, string>> | undefined;
  result?: JsonObject | undefined;
  usage?: JsonObject | undefined;
  error?: object | undefined;
  deliveryId: string;
  attempt?: object | undefined;
  calls?: readonly object[] | undefined;
  /** Made by `noteOf`. */
  note?: string | undefined;
}

export interface FinishRow {
  task_id: string;
  delivery_id: string | null;
  overrun: Nano;
  /** The key of which the task had a slot, if the key has a limit; else null. */
  freed_of_key: string | null;
  /** As asked, or as the process that is gone kept its end. */
  status: 'completed' | 'failed';
  family: Family;
  model: string;
  is_test: boolean;
  /** The channel that settled it, or was asked last. */
  channel_id: string | null;
  settled_nano: Nano;
  /** The vendor's charge; null: not known. */
  cost_nano: Nano | null;
  /** The time from its submission to its end. */
  seconds: number;
  trace_context: string | null;
}

/**
 * The function `complete_tasks` (`prisma/functions/complete_tasks.sql`): state, settlement or refund, the attempt's end and the callback's row
 * are committed together. Each task may be named once; who does not win it gets no row.
 */
export const finishTasks: Statement<[items: readonly TaskToFinish[], lockWaitMs?: number], FinishRow> = {
  byPrisma: true,
  text: `select * from complete_tasks($1::jsonb, ${KEPT_END_FORM}, $2)`,
  values: (items, lockWaitMs = LOCK_WAIT_MS) => [JSON.stringify(items), lockWaitMs],
};

export interface FoundFinishRow extends FinishRow {
  /** The fence under which it ended. */
  fence: number;
  /** The reason for a refund. */
  reason: string | null;
  /** The last attempt's id; null: there was none. */
  attempt_id: string | null;
  attempt_state: string | null;
}

/** Longer than a statement is tried. */
const JUST_NOW = '30 seconds';

/** Repeats the answer of the statement that ended these tasks a moment ago, except the slot: the reconciler passes that on. */
export const findEnds: Statement<[ids: readonly TaskId[]], FoundFinishRow> = {
  text: `
select t.id as task_id, t.status, t.fence, t.error ->> 'reason' as reason,
  a.id as attempt_id, a.state as attempt_state, d.id as delivery_id, coalesce(o.amount_nano, 0) as overrun,
  null as freed_of_key, t.family, t.model, t.is_test, r.channel_id, coalesce(r.settled_nano, 0) as settled_nano, r.cost_nano,
  extract(epoch from t.completed_at - t.created_at)::float8 as seconds, t.trace_context
from tasks t join reservations r on r.task_id = t.id
left join task_attempts a on a.id = t.attempt_id
left join webhook_deliveries d on d.task_id = t.id
left join overruns o on o.task_id = t.id
where t.id = any($1::text[]) and t.completed_at > now() - interval '${JUST_NOW}'`,
  values: (ids) => [ids],
};
