import type { TaskRow } from '@mediagate/database';

/** How a task's callback stands, as polls show it. The callback itself carries none: it could only be out of date. */
export interface CallbackRecord {
  url: string;
  state: string;
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  /** Unix seconds. */
  next_attempt_at: number | null;
  /** The rule that the URL breaks, when `dropped`. */
  refused_because: string | null;
}

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
