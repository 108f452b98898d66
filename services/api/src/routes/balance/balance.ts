import type { Balance } from '@mediagate/billing';
import { message, nanoToNumber, type Reason } from '@mediagate/contracts';
import { say } from '@mediagate/languages';
import { answerLanguage } from '../../http/answer-language';
import type { Call } from '../../http/exchange';
import { sendVersionedJson } from '../../http/versioned';
import type { Caller } from '../../use-cases/caller';

export interface BalanceDeps {
  readKeyBalance(key: Caller): Promise<Balance | undefined>;
  readAccountBalance(accountId: string): Promise<Balance | undefined>;
  creditsPerUnit: number;
}

/** The value of `remain_balance` and `remain_credits` for a key without a quota. */
const UNLIMITED = -1;

/** GET /v1/balance and /balance: the calling key alone. */
export function createKeyBalance({ readKeyBalance, creditsPerUnit }: BalanceDeps): (call: Call) => Promise<void> {
  return async (call) => {
    sendBalance(call, await readKeyBalance(call.caller), creditsPerUnit);
  };
}

/** GET /v1/user/balance and /user/balance: the key's whole account, in the same shape. */
export function createAccountBalance({
  readAccountBalance,
  creditsPerUnit,
}: BalanceDeps): (call: Call) => Promise<void> {
  return async (call) => {
    sendBalance(call, await readAccountBalance(call.caller.accountId), creditsPerUnit);
  };
}

/** `undefined`: the row went away after the key was let in, which the specification answers with 200 and `success: false`. */
function sendBalance(call: Call, balance: Balance | undefined, creditsPerUnit: number): void {
  sendVersionedJson(call, balance ? balanceRecord(balance, creditsPerUnit) : noBalance(call));
}

function noBalance({ response, requestId }: Call): object {
  const reason: Reason = 'not_found';
  const text = say(message('balance_not_found'), answerLanguage(response));
  return { success: false, message: text, reason, request_id: requestId };
}

function balanceRecord(balance: Balance, creditsPerUnit: number): object {
  const credits = (nano: bigint): number => nanoToNumber(nano * BigInt(creditsPerUnit));
  const { remainNano, usedNano, heldNano } = balance;
  return {
    success: true,
    remain_balance: remainNano === undefined ? UNLIMITED : nanoToNumber(remainNano),
    remain_credits: remainNano === undefined ? UNLIMITED : credits(remainNano),
    used_balance: nanoToNumber(usedNano),
    used_credits: credits(usedNano),
    held_balance: nanoToNumber(heldNano),
    held_credits: credits(heldNano),
    unlimited_quota: remainNano === undefined,
  };
}
