import { type JsonObject, nanoToNumber, unixSeconds } from '@mediagate/contracts';
import type { AccountSummary } from './accounts';

/** Describes an account as operators see it. */
export function describeAccount(account: AccountSummary): JsonObject {
  const { id, name, state, balanceNano, heldNano, settledNano, createdAt } = account;
  return {
    id,
    name,
    state,
    balance: nanoToNumber(balanceNano),
    held: nanoToNumber(heldNano),
    settled: nanoToNumber(settledNano),
    submit_per_minute: account.submitPerMinute,
    query_per_minute: account.queryPerMinute,
    priority_class: account.priorityClass,
    marks: account.marks,
    unmarked: account.unmarked,
    created: unixSeconds(createdAt),
  };
}
