import type { TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import type { FinishRow } from './finish-tasks';

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
