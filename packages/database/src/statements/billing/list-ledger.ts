import type { Nano, TaskId } from '@mediagate/contracts';
import type { Scanned } from '../../page';
import type { Statement } from '../../statement';
import { isSeen, type Visibility } from '../visibility';

export interface LedgerRow {
  id: bigint;
  createdAt: Date;
  kind: 'top_up' | 'adjust' | 'hold' | 'settle' | 'refund';
  amountNano: Nano;
  /** How it changed the money that the account can spend. */
  changeNano: Nano;
  /** Null: booked by a release that did not write it, or not to be seen by a caller who sees a part of the account. */
  balanceAfterNano: Nano | null;
  taskId: TaskId | null;
  keyId: string | null;
  /** The task was one of a key of tests; null: there is no task. */
  isTest: boolean | null;
  /** A payment's reference, in the operator's words. */
  reference: string | null;
  /** Why it was booked by hand, in the operator's words: never shown to callers. */
  note: string | null;
}

/** The change by an entry `e` whose task has the reservation `r`: a settlement gives back what was held beyond it. */
export const BALANCE_CHANGE = `case e.kind when 'hold' then -e.amount_nano when 'settle' then r.amount_nano - e.amount_nano
  else e.amount_nano end`;

/** The balance is the whole account's: `own`, a parameter as of `isSeen`, hides it. */
const entries = (own: string) => `
select e.id, e.created_at as "createdAt", e.kind, e.amount_nano as "amountNano", ${BALANCE_CHANGE} as "changeNano",
  case when ${own}::text is null then e.balance_after_nano end as "balanceAfterNano", e.task_id as "taskId", e.key_id as "keyId",
  r.is_test as "isTest", e.reference, e.note
from ledger_entries e left join reservations r on r.task_id = e.task_id`;

/**
 * The account's entries before an id, the newest first. The account is named by a range, not by equality, so that only the index
 * on account and id has the order: the planner must not walk through everybody's entries by the primary key.
 */
const OF_ACCOUNT = `e.account_id >= $1 and (e.account_id, e.id) < ($1, $2)`;
const ACCOUNT_ORDER = 'order by e.account_id desc, e.id desc';

export const listLedger: Statement<[accountId: string, page: { before: bigint; limit: number }], LedgerRow> = {
  text: `${entries('null')} where ${OF_ACCOUNT} ${ACCOUNT_ORDER} limit $3`,
  values: (accountId, { before, limit }) => [accountId, before, limit],
};

/** Lists the entries that a caller of the scope `own` sees: no index has them, so each page looks at `scanRows` of the account at most. */
export const listSeenLedger: Statement<
  [who: Visibility, page: { before: bigint; limit: number; scanRows: number }],
  Scanned<LedgerRow>
> = {
  text: `
with looked as materialized (
  select e.id, e.key_id from ledger_entries e where ${OF_ACCOUNT} ${ACCOUNT_ORDER} limit $4
),
found as materialized (
  select l.id from looked l where ${isSeen('l.key_id', '$5')} order by l.id desc limit $3
),
scan as (
  select case when (select count(*) from found) < $3 and (select count(*) from looked) = $4 then (
    select min(l.id) from looked l
  ) end as "lookedUntil"
)
select f.*, s."lookedUntil"
from scan s left join (${entries('$5')} where e.id in (select id from found)) f on true order by f.id desc`,
  values: ({ accountId, ownKeyId }, { before, limit, scanRows }) => [accountId, before, limit, scanRows, ownKeyId],
};

/**
 * Said in a way that no index matches: entries are found by their task alone. The planner expects few entries of any account, and would read
 * all of one that has nearly everything to find those of a task among them.
 */
const IS_OF_ACCOUNT = '(e.account_id = $1) is true';

/** Lists the few entries of each of some tasks: they are looked up by task, however long the ledger is. */
export const listTaskLedgers: Statement<[who: Visibility, taskIds: readonly string[]], LedgerRow> = {
  text: `
${entries('$3')} where ${IS_OF_ACCOUNT} and ${isSeen('e.key_id', '$3')} and e.task_id = any($2::text[]) order by e.id desc`,
  values: ({ accountId, ownKeyId }, taskIds) => [accountId, taskIds, ownKeyId],
};

/** The same of one task, page by page. */
export const listTaskLedger: Statement<
  [who: Visibility, taskId: string, page: { before: bigint; limit: number }],
  LedgerRow
> = {
  text: `
${entries('$5')} where ${IS_OF_ACCOUNT} and ${isSeen('e.key_id', '$5')} and e.task_id = $2 and e.id < $3
order by e.id desc limit $4`,
  values: ({ accountId, ownKeyId }, taskId, { before, limit }) => [accountId, taskId, before, limit, ownKeyId],
};
