import type { Database, SignIn } from '@mediagate/database';
import type { Identity } from '../identity';
import { findIdentified, type Identified, type InvitedChoice, keepProven, type ProvenIdentity } from './identities';
import { matchesPassword } from './password';
import type { ProvenAddress } from './places';
import { hashToken, newSecretToken, recoveryCodeHash } from './secret-token';
import { renewCredential } from './sessions';
import { findTotpStep, openTotpSecret } from './totp';
import { normalEmail, usersIn } from './user-record';

export interface GivenProofs {
  email: string;
  /** The user's account, by its id, or `operators`; default: any in which the password fits. */
  account?: string | undefined;
  /** Compares the password of this user alone. */
  userId?: string | undefined;
  password: string;
  /** A code of the second factor, or a recovery code. */
  totp?: string | undefined;
  /** The token of the session that the same browser has. */
  formerToken?: string | undefined;
  /** Proven by a provider in the same browser: the user who signs in is tied to it. */
  proven?: ProvenAddress | undefined;
}

export type SignInFault = 'bad_credentials' | 'totp_required' | 'totp_wrong';

/** The token is for the user's browser alone. */
export type SignInOutcome = { token: string; user: KnownUser } | { fault: SignInFault };

/** Passwords that one attempt is compared with. A person with more users under one address names the account that is meant. */
const COMPARED_PASSWORDS = 4;

/** Whether somebody is who they say; takes as long for an unknown address as for a wrong password. */
export async function signIn(identity: Identity, given: GivenProofs): Promise<SignInOutcome> {
  const { database, sealer } = identity;
  const user = await findFitting(database, given);
  if (!user) return { fault: 'bad_credentials' };
  const proof = secondProof(sealer, user, given.totp);
  if ('fault' in proof) return proof;
  const opened = await openSession(identity, {
    ...proof,
    userId: user.id,
    formerToken: given.formerToken,
    passwordHash: user.passwordHash,
  });
  if (opened && given.proven) await keepProven(database, user, given.proven);
  if (opened) return opened;
  return { fault: user.totpConfirmedAt === null ? 'bad_credentials' : 'totp_wrong' };
}

/** Does the same work for a refusal, however many users have the address, or none. */
async function findFitting(
  database: Database,
  { email, account, userId, password }: GivenProofs,
): Promise<UserRow | undefined> {
  if (userId !== undefined) {
    const user = await database.user.findFirst({ where: { id: userId, email: normalEmail(email), disabledAt: null } });
    return user && (await matchesPassword(password, user.passwordHash)) ? user : undefined;
  }
  const users = await findCompared(database, email, account);
  users.sort(byLastSignIn);
  for (let index = 0; index < COMPARED_PASSWORDS; index += 1) {
    const user = users[index];
    if ((await matchesPassword(password, user?.passwordHash ?? null)) && user) return user;
  }
  return undefined;
}

/**
 * An operator's, those whose address a provider has proven, and by turns who signed in last and who was made first. Strangers who give
 * somebody's address to users of theirs can be before them in one of the two orders, and in both only with two accounts for each.
 */
async function findCompared(database: Database, email: string, account: string | undefined): Promise<UserRow[]> {
  const find = (...order: object[]) =>
    database.user.findMany({
      where: { email: normalEmail(email), ...usersIn(account), disabledAt: null, passwordHash: { not: null } },
      // Operators before accounts, the proven before others.
      orderBy: [{ kind: 'desc' }, { identity: { sort: 'asc', nulls: 'last' } }, ...order],
      take: COMPARED_PASSWORDS,
    });
  // Ids are ordered by time. Whoever never signed in comes last, the newest first.
  const [latest, oldest] = [
    await find({ lastSignedInAt: { sort: 'desc', nulls: 'last' } }, { id: 'desc' }),
    await find({ id: 'asc' }),
  ];
  const inTurns = latest.flatMap((user, index) => [user, oldest[index] ?? user]);
  return [...new Map(inTurns.map((user) => [user.id, user])).values()].slice(0, COMPARED_PASSWORDS);
}

/** Puts operators first, then who signed in last: of several users whom the same password fits, the first is taken. */
function byLastSignIn(one: UserRow, other: UserRow): number {
  const signedInAt = ({ lastSignedInAt }: UserRow) => lastSignedInAt?.getTime() ?? 0;
  return other.kind.localeCompare(one.kind) || signedInAt(other) - signedInAt(one);
}

/** Signs in by a link that was made for this. Undefined: it is none, was used, or is too old. */
export async function signInByLink(
  identity: Identity,
  { linkToken, formerToken }: { linkToken: string; formerToken?: string | undefined },
): Promise<{ token: string } | undefined> {
  const linkHash = hashToken(linkToken);
  const [link] = await identity.database.findUserLink(linkHash, 'sign_in');
  return link && openSession(identity, { userId: link.userId, linkHash, formerToken });
}

/** Signs in the user who is meant by somebody whom a provider of identities has let in. */
export async function signInIdentified(
  identity: Identity,
  proven: ProvenIdentity,
  { formerToken, ...choice }: InvitedChoice & { formerToken: string | undefined },
): Promise<{ token: string } | Exclude<Identified, { userId: string }>> {
  const found = await findIdentified(identity.database, proven, choice);
  if ('fault' in found) return found;
  return (await openSession(identity, { userId: found.userId, formerToken })) ?? { fault: 'not_invited' };
}

type Proof = Pick<SignIn, 'totpStep' | 'recoveryCodeHash'>;
type UserRow = NonNullable<Awaited<ReturnType<Database['user']['findUnique']>>>;

function secondProof(sealer: Identity['sealer'], user: UserRow, typed = ''): Proof | { fault: SignInFault } {
  if (user.totpConfirmedAt === null) return { totpStep: null, recoveryCodeHash: null };
  if (typed === '') return { fault: 'totp_required' };
  const hash = recoveryCodeHash(typed);
  if (hash) return { totpStep: null, recoveryCodeHash: hash };
  const secret = openTotpSecret(sealer, user);
  const step =
    secret === undefined ? undefined : findTotpStep(secret, typed, { nowMs: Date.now(), lastStep: user.totpLastStep });
  return step === undefined ? { fault: 'totp_wrong' } : { totpStep: step, recoveryCodeHash: null };
}

/** Opens a session, with a token or key in force. Undefined: what was proved has been changed or used meanwhile. */
async function openSession(
  identity: Identity,
  { formerToken, ...proof }: Partial<SignIn> & { userId: string; formerToken?: string | undefined },
): Promise<{ token: string; user: KnownUser } | undefined> {
  const { token, hash } = newSecretToken();
  const [opened] = await identity.database.openSession({
    passwordHash: null,
    totpStep: null,
    recoveryCodeHash: null,
    linkHash: null,
    ...proof,
    tokenHash: hash,
    replaces: formerToken === undefined ? null : hashToken(formerToken),
  });
  if (!opened) return undefined;
  await renewCredential(identity, token);
  return { token, user: { id: opened.userId, generation: opened.generation } };
}

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
