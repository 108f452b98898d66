import type { Statement } from '../../statement';
import { RECORD_COLUMNS, type RecordedTask } from '../tasks/task-row';
import { type ClaimedDelivery, IS_PENDING, MAY_BE_HAD, SIGNING_SECRETS } from './deliveries';

/** A delivery that nobody has claimed, with its fence as it was read: an attempt that starts from it is its claim, too. */
export interface DueForAttempt {
  delivery: ClaimedDelivery;
  /** What its first body is made of; absent: it has one. */
  task?: RecordedTask;
}

interface Row extends Omit<ClaimedDelivery, 'id' | 'taskId' | 'accountId' | 'fence'> {
  deliveryId: string;
  ofTask: ClaimedDelivery['taskId'];
  ofAccount: string;
  deliveryFence: number;
}

export type DeliveryToAttempt = Row & { [Name in keyof RecordedTask]: RecordedTask[Name] | null };

/** Those of the deliveries that can be had. They stay as they are: a claim that does nothing else costs a flush of the log. */
export const readDeliveriesToAttempt: Statement<[ids: readonly string[]], DeliveryToAttempt> = {
  text: `
select d.id as "deliveryId", d.task_id as "ofTask", d.account_id as "ofAccount", d.url, d.body, d.attempts_made as "attemptsMade",
  d.fence as "deliveryFence", ${SIGNING_SECRETS} as "secrets",
  (extract(epoch from now() - d.next_attempt_at) * 1000)::float8 as "overdueMs", d.trace_context as "traceContext",
  ${RECORD_COLUMNS}
from webhook_deliveries d
join accounts a on a.id = d.account_id
left join tasks t on t.id = d.task_id and d.body is null
where d.id = any($1::text[]) and ${IS_PENDING} and ${MAY_BE_HAD}`,
  values: (ids) => [ids],
};

export function toDueForAttempt(row: DeliveryToAttempt): DueForAttempt {
  const { deliveryId, ofTask, ofAccount, deliveryFence, url, body, attemptsMade, secrets, overdueMs, traceContext } =
    row;
  const kept = { url, body, attemptsMade, secrets, overdueMs, traceContext };
  const delivery = { id: deliveryId, taskId: ofTask, accountId: ofAccount, fence: deliveryFence, ...kept };
  return { delivery, ...(row.id !== null && { task: row as RecordedTask }) };
}
