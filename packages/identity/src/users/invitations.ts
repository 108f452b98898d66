import type { ChangeRequest, Database, LinkedUser } from '@mediagate/database';
import { hashPassword, type PasswordFault, passwordFault } from './password';
import { hashToken } from './secret-token';

/** Finds who is invited. Undefined: it is no invitation, was used, or is too old. */
export async function findInvitation(database: Database, token: string): Promise<LinkedUser | undefined> {
  return (await database.findUserLink(hashToken(token), 'invitation'))[0];
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
