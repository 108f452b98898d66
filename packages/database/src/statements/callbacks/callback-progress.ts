/** How the callback of an ended task stands. */
export interface CallbackProgress {
  state: string;
  reason: string | null;
  /** Requests made, those of a redelivery included. */
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  /** Unix seconds. */
  nextAttemptAt: number | null;
}

/**
 * The progress as a column of a statement over `tasks t`: null until the task has ended, and without a webhook. Such tasks,
 * which are most of those that are polled, cost nothing: the look-ups, by key, are made only where the case is met.
 */
export const CALLBACK_COLUMN = `
  case when t.webhook is not null and t.completed_at is not null then (
    select json_build_object('state', d.state, 'reason', d.reason, 'attempts', coalesce(a.number, 0),
      'lastStatus', a.http_status, 'lastError', a.error,
      'nextAttemptAt', floor(extract(epoch from d.next_attempt_at))::bigint)
    from webhook_deliveries d
    left join lateral (
      select w.number, w.http_status, w.error from webhook_attempts w
      where w.delivery_id = d.id order by w.number desc limit 1
    ) a on true
    where d.task_id = t.id
  ) end as callback`;
