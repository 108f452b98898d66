import type { Database, SignIn } from '@mediagate/database';
import type { Sealer } from '@mediagate/sealing';
import { matchesPassword } from './password';
import { recoveryCodeHash } from './recovery-codes';
import { hashToken, newSecretToken } from './secret-token';
import { findTotpStep } from './totp';
import { openTotpSecret } from './totp-secret';
import { normalEmail } from './user-record';

export interface SignInDeps {
  database: Database;
  sealer: Sealer;
  now?(): number;
}

export interface GivenProofs {
  email: string;
  password: string;
  /** Of the second factor, or a recovery code. */
  totp?: string | undefined;
  /** Of the session that the same browser has. */
  formerToken?: string | undefined;
}

export type SignInFault = 'bad_credentials' | 'totp_required' | 'totp_wrong';

/** The token is for the user's browser alone. */
export type SignInOutcome = { token: string } | { fault: SignInFault };

/** Whether somebody is who they say; takes as long for an unknown address as for a wrong password. */
export async function signIn(deps: SignInDeps, given: GivenProofs): Promise<SignInOutcome> {
  const { database } = deps;
  const user = await database.user.findUnique({ where: { email: normalEmail(given.email) } });
  const fits = await matchesPassword(given.password, user?.passwordHash ?? null);
  if (!user || !fits || user.disabledAt !== null) return { fault: 'bad_credentials' };
  const proof = secondProof(deps, user, given.totp);
  if ('fault' in proof) return proof;
  const opened = await openSession(database, {
    ...proof,
    userId: user.id,
    formerToken: given.formerToken,
    passwordHash: user.passwordHash,
  });
  if (opened) return opened;
  return { fault: user.totpConfirmedAt === null ? 'bad_credentials' : 'totp_wrong' };
}

/** By a link that was made for this. Undefined: it is none, was used, or is too old. */
export async function signInByLink(
  database: Database,
  { linkToken, formerToken }: { linkToken: string; formerToken?: string | undefined },
): Promise<{ token: string } | undefined> {
  const linkHash = hashToken(linkToken);
  const [link] = await database.findUserLink(linkHash, 'sign_in');
  return link && openSession(database, { userId: link.userId, linkHash, formerToken });
}

/** Of somebody whom a provider of identities has let in. Undefined: the user is disabled. */
export function signInAs(
  database: Database,
  { userId, formerToken }: { userId: string; formerToken?: string | undefined },
): Promise<{ token: string } | undefined> {
  return openSession(database, { userId, formerToken });
}

type Proof = Pick<SignIn, 'totpStep' | 'recoveryCodeHash'>;
type UserRow = NonNullable<Awaited<ReturnType<Database['user']['findUnique']>>>;

function secondProof(
  { sealer, now = Date.now }: SignInDeps,
  user: UserRow,
  typed = '',
): Proof | { fault: SignInFault } {
  if (user.totpConfirmedAt === null) return { totpStep: null, recoveryCodeHash: null };
  if (typed === '') return { fault: 'totp_required' };
  const hash = recoveryCodeHash(typed);
  if (hash) return { totpStep: null, recoveryCodeHash: hash };
  const secret = openTotpSecret(sealer, user);
  const step =
    secret === undefined ? undefined : findTotpStep(secret, typed, { nowMs: now(), lastStep: user.totpLastStep });
  return step === undefined ? { fault: 'totp_wrong' } : { totpStep: step, recoveryCodeHash: null };
}

/** Undefined: what was proved has been changed or used meanwhile. */
async function openSession(
  database: Database,
  { formerToken, ...proof }: Partial<SignIn> & { userId: string; formerToken?: string | undefined },
): Promise<{ token: string } | undefined> {
  const { token, hash } = newSecretToken();
  const [opened] = await database.openSession({
    passwordHash: null,
    totpStep: null,
    recoveryCodeHash: null,
    linkHash: null,
    ...proof,
    tokenHash: hash,
    replaces: formerToken === undefined ? null : hashToken(formerToken),
  });
  return opened && { token };
}
