import { actorOf } from '@mediagate/users';
import type { OpenedSession } from '../session/require-session';

/** As the audit log names who is signed in: by the token or key that stands for them. */
export function actorOfSession({ rights, credential, userId }: OpenedSession): string {
  return credential ? actorOf(rights, credential.id) : `user:${userId}`;
}
