import type { Nano, TaskId } from '@mediagate/contracts';
import { change, noteOf, withNote } from '../identity/note';
import { CORRECTED_USAGE, USAGE_PROGRESS } from './usage-days';

export interface TaskRefund {
  taskId: TaskId;
  /** Undefined: all that the task was charged. */
  amountNano?: Nano | undefined;
  /** The note is kept in the ledger. */
  note: string;
}

/** The task's money for the audit log, in nano-units, as decimal text. */
export type RefundSnapshot = { taskId: TaskId; accountId: string; charged: string; refunded: string; balance: string };

/**
 * Gives back what an ended task was charged, or a part. The entry is an `adjust` of the task, of which a unique index allows one: a
 * second one breaks it, and its statement is rolled back whole. No row: the task was not charged, or less. The progress of sums is locked
 * before the account, whose bookings else wait for them, and the reservation then: `prune_books` may have removed it meanwhile.
 */
export const refundTask = change<[refund: TaskRefund]>({
  byPrisma: true,
  text: withNote(`${USAGE_PROGRESS},
charged as materialized (
  select r.*, r.settled_nano as charged, coalesce($3::bigint, r.settled_nano) as amount
  from reservations r
  where r.task_id = $2 and r.state = 'settled' and coalesce($3::bigint, r.settled_nano) between 1 and r.settled_nano
    and (select count(*) from progress) >= 0
  for share of r
),
account as (
  update accounts a set topped_up_nano = a.topped_up_nano + c.amount
  from charged c cross join progress
  where a.id = c.account_id
  returning a.id, c.key_id, c.charged, c.amount, a.topped_up_nano - a.held_nano - a.settled_nano as balance
),
entry as (
  insert into ledger_entries (account_id, key_id, task_id, kind, amount_nano, note, balance_after_nano)
  select id, key_id, $2, 'adjust', amount, $4, balance from account
),
correction as (
  select c.*, c.amount as refunded_change, 0 as cost_change, 0 as unknown_change from charged c
),${CORRECTED_USAGE},
changed as (
  select $2::text as subject,
    jsonb_build_object('taskId', $2::text, 'accountId', id, 'charged', charged::text, 'refunded', '0',
      'balance', (balance - amount)::text) as before,
    jsonb_build_object('taskId', $2::text, 'accountId', id, 'charged', charged::text, 'refunded', amount::text,
      'balance', balance::text) as after
  from account
)`),
  values: ({ taskId, amountNano, note }, request) => [noteOf('task.refund', request), taskId, amountNano ?? null, note],
});
