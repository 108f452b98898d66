import { unixSeconds, unixSecondsOrNull } from '@mediagate/contracts';
import type { IssuedLink } from './manage-users';
import type { UserRecord } from './user-record';

/** Describes a user in the same way for the console, the operators' API and the command line. */
export function describeUser({ rights, ...user }: UserRecord) {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    kind: rights.kind,
    role: rights.role,
    account_id: rights.kind === 'account' ? rights.accountId : null,
    account_name: user.accountName,
    totp: user.totp,
    joined: user.hasJoined,
    created: unixSeconds(user.createdAt),
    last_signed_in_at: unixSecondsOrNull(user.lastSignedInAt),
    disabled_at: unixSecondsOrNull(user.disabledAt),
  };
}

/** The link of a console is its address with `/invitation#<token>`: behind `#`, which browsers send to nobody. */
export function describeInvitation({ token, expiresAt }: IssuedLink) {
  return { token, expires_at: unixSeconds(expiresAt) };
}
