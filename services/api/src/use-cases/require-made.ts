import { GatewayError, type Message, message } from '@mediagate/contracts';
import type { ChangedRow, ChangeOutcome } from '@mediagate/database';
import type { AccountSummary } from '@mediagate/identity';

/** Why a change was not made, where it is not for an idempotency key. */
export interface Refusals {
  /** The row is not there, or its state does not allow it. Default: that cannot be. */
  unchanged?: () => Promise<GatewayError> | GatewayError;
  duplicate?: { message: Message; param?: string };
}

/** A change that was made now, or, where it is replayed, before. */
export interface MadeChange {
  row: ChangedRow;
  replayed: boolean;
}

/** @throws GatewayError for a change that was not made. */
export async function requireMade(
  outcome: ChangeOutcome,
  { unchanged = neverUnchanged, duplicate = { message: message('already_done') } }: Refusals,
): Promise<MadeChange> {
  switch (outcome.kind) {
    case 'changed':
      return outcome;
    case 'unchanged':
      throw await unchanged();
    case 'key_reused':
      throw new GatewayError('idempotency_conflict', message('idempotency_key_reused'));
    case 'duplicate':
      throw new GatewayError('conflict', duplicate.message, { reason: 'already_done', param: duplicate.param });
    default:
      return outcome satisfies never;
  }
}

function neverUnchanged(): never {
  throw new Error('nothing forbids this change, and it was not made');
}

export function accountNotFound(): GatewayError {
  return new GatewayError('not_found', message('account_not_found'));
}

/** Why an operator's change of an account was not made, as the account stands now. */
export function refusedBy(account: AccountSummary | undefined): GatewayError {
  if (!account) return accountNotFound();
  if (account.state === 'closed') {
    return new GatewayError('conflict', message('account_closed'), { reason: 'account_closed' });
  }
  return new GatewayError('conflict', message('account_state', { state: account.state }), { reason: 'wrong_state' });
}
