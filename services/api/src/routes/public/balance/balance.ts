import { type Balance, readAccountBalance, readKeyBalance } from '@mediagate/billing';
import { message, nanoToNumber, type Reason } from '@mediagate/contracts';
import { say } from '@mediagate/languages';
import { answerLanguage } from '../../../http/answers/answer-language';
import { sendVersionedJson } from '../../../http/answers/versioned';
import type { Call } from '../../../http/exchange';
import type { KeyHandler } from '../../../http/route';

/** The value of `remain_balance` and `remain_credits` for a key without a quota. */
const UNLIMITED = -1;

/** GET /v1/balance and /balance: the calling key alone. */
export const getKeyBalance: KeyHandler = async (call, { database, creditsPerUnit }) => {
  sendBalance(call, await readKeyBalance(database, call.caller), creditsPerUnit);
};

/** GET /v1/user/balance and /user/balance: the key's whole account, in the same shape. */
export const getAccountBalance: KeyHandler = async (call, { database, creditsPerUnit }) => {
  sendBalance(call, await readAccountBalance(database, call.caller.accountId), creditsPerUnit);
};

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
