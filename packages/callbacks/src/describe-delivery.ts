import { exactSeconds, exactSecondsOrNull, type JsonObject } from '@mediagate/contracts';
import type { ListedDelivery } from './listed-delivery';

/** Describes a delivery as operators see it. */
export function describeDelivery(delivery: ListedDelivery): JsonObject {
  const { id, taskId, accountId, url, state, reason } = delivery;
  return {
    id,
    task_id: taskId,
    account_id: accountId,
    url,
    state,
    reason,
    created: exactSeconds(delivery.createdAt),
    next_attempt_at: exactSecondsOrNull(delivery.nextAttemptAt),
    ended_at: exactSecondsOrNull(delivery.endedAt),
    attempts: delivery.attempts.map(({ number, startedAt, endedAt, httpStatus, error }) => ({
      number,
      started_at: exactSeconds(startedAt),
      ended_at: exactSecondsOrNull(endedAt),
      status: httpStatus,
      error,
    })),
  };
}
