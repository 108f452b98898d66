import type { Statement } from '../../statement';

/** Callbacks that have not ended. */
export interface CallbackQueue {
  pending: number;
  /** Pending callbacks that could be sent now and that nobody is sending. */
  due: number;
  /** How long the oldest of these has been due; null: none is. */
  oldestSeconds: number | null;
  /** When the next is due; null: none is to come. */
  nextDueAt: Date | null;
}

/** Bounds what a backlog costs to count. What is due longest is among them. */
const MAX_COUNTED = 10_000;

export const readCallbackQueue: Statement<[], CallbackQueue> = {
  text: `
select count(*)::int as pending, count(d.since)::int as due,
  extract(epoch from now() - min(d.since))::float8 as "oldestSeconds",
  (
    select next_attempt_at from webhook_deliveries
    where state = 'pending' and next_attempt_at > now() order by next_attempt_at limit 1
  ) as "nextDueAt"
from (
  select case when next_attempt_at <= now() and (lease_until is null or lease_until <= now())
    then greatest(next_attempt_at, lease_until) end as since
  from webhook_deliveries where state = 'pending' order by next_attempt_at limit ${MAX_COUNTED}
) d`,
  values: () => [],
};
