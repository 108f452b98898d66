import { type AccountSummary, accountOf } from '@mediagate/billing';
import { type JsonObject, nanoToNumber } from '@mediagate/contracts';
import type { AccountSnapshot, ChangedRow } from '@mediagate/database';
import { unixSeconds } from '../../http/unix-seconds';

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
    created: unixSeconds(createdAt),
  };
}

/** The account as it was once the change was made, also where that was asked for again. */
export function describeChanged({ after }: ChangedRow): JsonObject {
  return describeAccount(accountOf(after as AccountSnapshot));
}
