import type { FinishRequest } from './finish-request';
import { settledOf, toAttempt, withCost } from './finish-rows';

/** How a task ends, but for its names and fence. */
export type ProvisionalEnd = Pick<FinishRequest, 'outcome' | 'calls' | 'attempt'>;

/**
 * Writes an end down for whoever ends the task once its process is gone. It is kept in the task's row (`end_if_abandoned`) under the
 * process's fence; `complete_tasks` reads it, where somebody else would refund the task.
 */
export function keepEnd({ outcome, calls, attempt }: ProvisionalEnd): string {
  return JSON.stringify({
    settled: outcome.kind === 'completed' ? settledOf(outcome) : undefined,
    calls: calls?.map(toAttempt),
    attempt: attempt && withCost(attempt),
  });
}
