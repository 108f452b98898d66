import type { UserRecord } from '@mediagate/users';

/** Times in Unix seconds, as the API has them. */
export function describeUser({ rights, ...user }: UserRecord): object {
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
    created: seconds(user.createdAt),
    last_signed_in_at: seconds(user.lastSignedInAt),
    disabled_at: seconds(user.disabledAt),
  };
}

function seconds(time: Date | null): number | null {
  return time === null ? null : time.getTime() / 1000;
}
