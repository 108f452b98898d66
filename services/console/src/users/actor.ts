import type { ChangeRequest } from '@mediagate/database';
import { actorOf } from '@mediagate/identity';
import type { OpenedSession } from '../session/require-session';

/** The name of the signed-in user in the audit log: that of the token or key that stands for them. */
export function actorOfSession({ rights, credential, userId }: OpenedSession): string {
  return credential ? actorOf(rights, credential.id) : `user:${userId}`;
}

/** A change that the one who is signed in asks for; those of an account's users count against its changes of the day. */
export function changeBy(session: OpenedSession): ChangeRequest {
  const { rights } = session;
  return {
    actor: actorOfSession(session),
    ...(rights.kind === 'account' && { counted: { as: 'changes' as const, owner: rights.accountId } }),
  };
}
