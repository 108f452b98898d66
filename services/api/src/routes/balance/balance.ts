import type { Balance } from '@mediagate/billing';
import { inEnglish, message, nanoToNumber } from '@mediagate/contracts';
import { type Call, sendJson } from '../../http/exchange';

export interface BalanceDeps {
  readKeyBalance(keyId: string): Promise<Balance | undefined>;
  readAccountBalance(accountId: string): Promise<Balance | undefined>;
  creditsPerUnit: number;
}

/** What `remain_balance` and `remain_credits` say of a key without a quota. */
const UNLIMITED = -1;

/** GET /v1/balance and /balance: the calling key alone. */
export function createKeyBalance({ readKeyBalance, creditsPerUnit }: BalanceDeps): (call: Call) => Promise<void> {
  return async ({ response, caller }) => {
    sendJson(response, 200, balanceRecord(await readKeyBalance(caller.id), creditsPerUnit));
  };
}

/** GET /v1/user/balance and /user/balance: the key's whole account, in the same shape. */
export function createAccountBalance({
  readAccountBalance,
  creditsPerUnit,
}: BalanceDeps): (call: Call) => Promise<void> {
  return async ({ response, caller }) => {
    sendJson(response, 200, balanceRecord(await readAccountBalance(caller.accountId), creditsPerUnit));
  };
}

/** `undefined`: the row went away after the key was let in, which the specification answers with 200 and `success: false`. */
function balanceRecord(balance: Balance | undefined, creditsPerUnit: number): object {
  if (!balance) {
    return { success: false, message: inEnglish(message('balance_not_found')), reason: 'not_found' };
  }
  const credits = (nano: bigint): number => nanoToNumber(nano * BigInt(creditsPerUnit));
  const { remainNano, usedNano } = balance;
  return {
    success: true,
    remain_balance: remainNano === undefined ? UNLIMITED : nanoToNumber(remainNano),
    remain_credits: remainNano === undefined ? UNLIMITED : credits(remainNano),
    used_balance: nanoToNumber(usedNano),
    used_credits: credits(usedNano),
    unlimited_quota: remainNano === undefined,
  };
}
