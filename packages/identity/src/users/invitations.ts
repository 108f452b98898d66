import type { ChangeRequest, Database } from '@mediagate/database';
import { hashPassword, type PasswordFault, passwordFault } from './password';
import { hashToken } from './secret-token';

export interface Invitation {
  userId: string;
  email: string;
  name: string;
  kind: string;
  role: string;
  /** Null: an operator's. */
  accountId: string | null;
  accountName: string | null;
}

/** Undefined: it is none, was used, or is too old. */
export async function findInvitation(database: Database, token: string): Promise<Invitation | undefined> {
  const [found] = await database.findUserLink(hashToken(token), 'invitation');
  if (!found) return undefined;
  const { userId, email, name, kind, role, accountId, accountName } = found;
  return { userId, email, name, kind, role, accountId, accountName };
}

/** `joined`: the user signs in with the password from now on. `gone`: the invitation was used, or is too old. */
export async function acceptInvitation(
  database: Database,
  { token, name, password }: { token: string; name: string; password: string },
): Promise<'joined' | 'gone' | PasswordFault> {
  const tokenHash = hashToken(token);
  const [found] = await database.findUserLink(tokenHash, 'invitation');
  if (!found) return 'gone';
  const fault = passwordFault(password, { email: found.email, name });
  if (fault) return fault;
  const request: ChangeRequest = { actor: `user:${found.userId}` };
  const changed = await database.acceptInvitation(
    { tokenHash, name, passwordHash: await hashPassword(password) },
    request,
  );
  return changed.length === 1 ? 'joined' : 'gone';
}
