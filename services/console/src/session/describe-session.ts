import { csrfOf } from './csrf';
import type { OpenedSession } from './require-session';

/** Describes the session as a page needs it. */
export function describeSession(session: OpenedSession, gatewayUrl: string): object {
  const { userId, email, name, rights, accountName, totp } = session;
  const account_id = rights.kind === 'account' ? rights.accountId : null;
  return {
    user: {
      id: userId,
      email,
      name,
      kind: rights.kind,
      role: rights.role,
      account_id,
      account_name: accountName,
      totp,
    },
    csrf: csrfOf(session.token),
    gateway_url: gatewayUrl,
    expires_at: Math.floor(session.expiresAt.getTime() / 1000),
  };
}
