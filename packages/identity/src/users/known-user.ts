import type { Database } from '@mediagate/database';
import { normalEmail, usersIn } from './user-record';

/** A user as of the moment they signed in. */
export interface KnownUser {
  id: string;
  /** The generation of the user's sessions then; it changes when their sessions are ended or their password changes. */
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
