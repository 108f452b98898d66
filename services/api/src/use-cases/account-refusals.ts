import { GatewayError, message } from '@mediagate/contracts';
import type { AccountSummary } from '@mediagate/identity';

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
