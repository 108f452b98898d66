import type { TaskFailureReason } from '@mediagate/contracts';

/** What a failure is called over HTTP, to a caller who has waited for it. */
const STATUSES: Readonly<Record<TaskFailureReason, number>> = {
  content_policy: 400,
  bad_request: 400,
  media_unavailable: 400,
  caller_left: 499,
  internal: 500,
  generation_failed: 502,
  outcome_unknown: 502,
  result_unavailable: 502,
  no_upstream: 503,
  canceled_by_operator: 503,
  timeout: 504,
};

export function httpStatusOf(reason: TaskFailureReason): number {
  return STATUSES[reason];
}
