import type { UserRights } from '@mediagate/contracts';
import { actorOf } from '@mediagate/users';
import type { OpenedSession } from '../session/require-session';

/** Whose users somebody manages: all, or those of an account; undefined: nobody's. */
export type UserScope = { accountId: string | undefined } | undefined;

export function scopeOf(rights: UserRights): UserScope {
  if (rights.kind === 'operator') return rights.role === 'admin' ? { accountId: undefined } : undefined;
  return rights.role === 'owner' ? { accountId: rights.accountId } : undefined;
}

/** As the audit log names who is signed in: by the token or key that stands for them. */
export function actorOfSession({ rights, credential, userId }: OpenedSession): string {
  return credential ? actorOf(rights, credential.id) : `user:${userId}`;
}
