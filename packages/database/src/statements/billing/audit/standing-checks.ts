import type { Check } from './check';

/** Longer than any job of the reconciler takes to notice; a younger lag is work in progress. */
const LIVENESS_GRACE = "interval '60 seconds'";

/**
 * Processes of 0.1, which run beside new ones while a deployment replaces them, write entries without a balance, and draw their ids
 * before it is their turn at the account: a balance booked so long after one may not count it, though its id is higher.
 */
export const BOOKED_BESIDE = "interval '1 minute'";

const NEWEST_MONTH = '(select max(n.month) from closed_months n where n.digest is not null)';
const brokenDigests = (of: string) => `select to_char(month, 'YYYY-MM'), format('digest %s', encode(digest, 'hex'))
      from closed_months where ${of} and digest is not null and digest is distinct from month_digest(month)`;

/** Follows the chain of closed months up to the newest, which is a standing check. It reads every sum of every month. */
export const CHAIN_OF_MONTHS: Check = {
  invariant: 'closed month: its digest is that of the month before, of its pieces and of its sums',
  text: brokenDigests(`month < ${NEWEST_MONTH}`),
};

/** Checks of the present state: they cost as much as there are accounts, keys and open tasks, however long the books are. */
export const STANDING_CHECKS: readonly Check[] = [
  {
    invariant: 'no balance below zero',
    text: `select id, format('%s', topped_up_nano - held_nano - settled_nano) from accounts
      where topped_up_nano - held_nano - settled_nano < 0`,
  },
  {
    invariant: 'closed month: the newest digest is that of the month before, of its pieces and of its sums',
    text: brokenDigests(`month = ${NEWEST_MONTH}`),
  },
  {
    invariant: 'liveness: no task waits beyond its time with nobody at work',
    text: `select id, format('due since %s', next_step_at) from tasks
      where status not in ('completed', 'failed') and (
        deadline_at < now() - ${LIVENESS_GRACE}
        or (next_step_at < now() - ${LIVENESS_GRACE} and (lease_until is null or lease_until < now() - ${LIVENESS_GRACE})
          and status <> 'submitted'))`,
  },
  {
    invariant: 'liveness: no reservation held past its expiry',
    text: `select task_id, format('expired %s', expires_at) from reservations
      where state = 'held' and expires_at < now() - ${LIVENESS_GRACE}`,
  },
  {
    // A thousand that are due at once, as by a redelivery of many, wait for the account's slots while it is sent to.
    invariant: 'liveness: no callback waits beyond its time',
    text: `select id, format('due since %s', next_attempt_at) from webhook_deliveries
      where state = 'pending' and next_attempt_at < now() - ${LIVENESS_GRACE}
        and (lease_until is null or lease_until < now() - ${LIVENESS_GRACE})
        and account_id not in (
          select o.account_id from webhook_deliveries o where o.state = 'pending' and o.lease_until >= now()
        )`,
  },
];
