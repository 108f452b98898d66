import type { Nano, TaskId } from '@mediagate/contracts';
import type { Statement } from '../../statement';

export interface LedgerRow {
  id: bigint;
  createdAt: Date;
  kind: 'top_up' | 'adjust' | 'hold' | 'settle' | 'refund';
  amountNano: Nano;
  /** What it did to what the account can spend. */
  changeNano: Nano;
  /** Null: booked by a release that did not write it. */
  balanceAfterNano: Nano | null;
  taskId: TaskId | null;
  keyId: string | null;
  /** The task was one of a key of tests; null: there is no task. */
  isTest: boolean | null;
  /** Of a payment, in the operator's words. */
  reference: string | null;
  /** Why it was booked by hand, in the operator's words: never shown to callers. */
  note: string | null;
}

/** Of an entry `e` whose task has the reservation `r`: a settlement gives back what was held beyond it. */
export const BALANCE_CHANGE = `case e.kind when 'hold' then -e.amount_nano when 'settle' then r.amount_nano - e.amount_nano
  else e.amount_nano end`;

const ENTRIES = `
select e.id, e.created_at as "createdAt", e.kind, e.amount_nano as "amountNano", ${BALANCE_CHANGE} as "changeNano",
  e.balance_after_nano as "balanceAfterNano", e.task_id as "taskId", e.key_id as "keyId", r.is_test as "isTest",
  e.reference, e.note
from ledger_entries e left join reservations r on r.task_id = e.task_id`;

/**
 * The account's entries before an id, the newest first. The account is named by a range, not by equality, so that only the index
 * on account and id has the order: the planner must not walk through everybody's entries by the primary key.
 */
export const listLedger: Statement<[accountId: string, page: { before: bigint; limit: number }], LedgerRow> = {
  text: `${ENTRIES} where e.account_id >= $1 and (e.account_id, e.id) < ($1, $2) order by e.account_id desc, e.id desc limit $3`,
  values: (accountId, { before, limit }) => [accountId, before, limit],
};

/** Those of some tasks, which have a few each: looked up by the tasks, however long the ledger is. */
export const listTaskLedgers: Statement<[accountId: string, taskIds: readonly string[]], LedgerRow> = {
  text: `${ENTRIES} where e.account_id = $1 and e.task_id = any($2::text[]) order by e.id desc`,
  values: (accountId, taskIds) => [accountId, taskIds],
};

/** The same of one task, page by page. */
export const listTaskLedger: Statement<
  [accountId: string, taskId: string, page: { before: bigint; limit: number }],
  LedgerRow
> = {
  text: `${ENTRIES} where e.account_id = $1 and e.task_id = $2 and e.id < $3 order by e.id desc limit $4`,
  values: (accountId, taskId, { before, limit }) => [accountId, taskId, before, limit],
};
