import type { FaultCode } from '@mediagate/contracts';
import type { Statement } from '../../statement';
import type { Claim } from './claim';
import { HELD_BY_ITEMS } from './held-by-items';

/** An intent of which its worker knows that the vendor has nothing of it. */
export interface Withdrawal {
  attemptId: string;
  /** The intent is of a next stage: the job stands where its first stage left it. */
  isStage: boolean;
  /** Whoever holds the task now may be sending the same attempt again: only what is still ours is taken back. */
  isSentAgain: boolean;
  fault: FaultCode;
  detail: string;
}

export type AttemptToWithdraw = Withdrawal & { task: Claim };

/**
 * Takes intents back that were not sent, whether they are written yet or not. The fence goes on: an intent of the old one that is
 * still on its way is refused, and so is the end of a task that another worker has claimed and is about to give up. A row for
 * each task that goes on; none where it has ended, or others have begun another attempt.
 */
export const withdrawAttempts: Statement<[items: readonly AttemptToWithdraw[]], { attemptId: string; fence: number }> =
  {
    text: `
with item as materialized (
  select * from unnest($1::text[], $2::int[], $3::text[], $4::boolean[], $5::boolean[], $6::text[], $7::text[])
    as i(task_id, fence, attempt_id, is_stage, is_sent_again, fault, detail)
),
held as materialized (${HELD_BY_ITEMS}),
task as materialized (
  update tasks t set fence = next_fence(t.fence), lease_until = null, next_step_at = date_trunc('milliseconds', now()),
    attempt_state = case when t.attempt_id is distinct from h.attempt_id then t.attempt_state
      when h.is_stage then 'accepted' end
  from held h
  where t.id = h.id and (h.present_fence = h.fence
    or not h.is_stage and not h.is_sent_again and h.present_attempt = h.attempt_id and h.attempt_state = 'starting')
  returning t.fence, h.attempt_id, h.is_stage, h.fault, h.detail
),
closed as materialized (
  select withdraw_attempt(attempt_id, fault, detail) from task where not is_stage
)
select attempt_id as "attemptId", fence from task where (select count(*) from closed) >= 0`,
    values: (items) => [
      items.map(({ task }) => task.id),
      items.map(({ task }) => task.fence),
      items.map(({ attemptId }) => attemptId),
      items.map(({ isStage }) => isStage),
      items.map(({ isSentAgain }) => isSentAgain),
      items.map(({ fault }) => fault),
      items.map(({ detail }) => detail),
    ],
  };
