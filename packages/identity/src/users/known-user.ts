import type { Database } from '@mediagate/database';
import { normalEmail, usersIn } from './user-record';

/** Who signed in at a time. */
export interface KnownUser {
  id: string;
  /** Of the user's sessions then; it is another once their sessions were ended or their password is another. */
  generation: number;
}

/** Whether that user has the address there, may sign in by a password, and has the same generation. */
export async function isKnownUser(
  database: Database,
  { id, generation }: KnownUser,
  { email, account }: { email: string; account: string | undefined },
): Promise<boolean> {
  const place = { email: normalEmail(email), ...usersIn(account) };
  const canSignIn = { disabledAt: null, passwordHash: { not: null } };
  const where = { id, sessionGeneration: generation, ...place, ...canSignIn };
  return (await database.user.findFirst({ where, select: { id: true } })) !== null;
}
