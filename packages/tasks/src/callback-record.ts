import type { CallbackRecord } from '@mediagate/contracts';
import type { TaskRow } from '@mediagate/database';

/** Undefined: the task has no webhook. */
export function toCallbackRecord({ webhook, callback }: TaskRow): CallbackRecord | undefined {
  if (webhook === null) return undefined;
  return {
    url: webhook,
    state: callback?.state ?? 'pending',
    attempts: callback?.attempts ?? 0,
    last_status: callback?.lastStatus ?? null,
    last_error: callback?.lastError ?? null,
    next_attempt_at: callback?.nextAttemptAt ?? null,
    refused_because: callback?.state === 'dropped' ? callback.reason : null,
  };
}
