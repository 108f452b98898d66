import { timeOrderedId, type UserRights, unixSeconds, unixSecondsOrNull } from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest, Database, UserPlace, UserToCreate } from '@mediagate/database';
import { hashPassword, matchesPassword } from './password';
import { newSecretToken } from './secret-token';
import { normalEmail, type UserRecord } from './user-record';

export interface NewUser {
  email: string;
  name: string;
  rights: UserRights;
  /** Their identity at a provider that signs users in. */
  identity?: string | undefined;
}

/** Disabled ones too. */
export const MAX_USERS_OF_ACCOUNT = 200;

/**
 * `duplicate`: somebody of that account, or an operator, has that e-mail address. `unchanged`: there is no such account, it is closed,
 * or has as many users as it may.
 */
export function createUser(database: Database, user: NewUser, request: ChangeRequest): Promise<ChangeOutcome> {
  return database.createUser(rowOf(user), MAX_USERS_OF_ACCOUNT, request);
}

/** Does what `createUser` does, with the link of `inviteUser`: both or neither. */
export async function createInvited(database: Database, user: NewUser, request: ChangeRequest): Promise<Invited> {
  const { token, invitation } = newInvitation();
  const row = { ...rowOf(user), invitation };
  const outcome = await database.createUser(row, MAX_USERS_OF_ACCOUNT, request);
  return { outcome, link: linkOf(outcome, token) };
}

function rowOf({ email, name, rights, identity = undefined }: NewUser): UserToCreate {
  const id = `usr_${timeOrderedId()}`;
  return { id, email: normalEmail(email), name, rights, identity: identity ?? null, invitation: null };
}

export async function hasAllUsers(database: Pick<Database, 'user'>, accountId: string): Promise<boolean> {
  return (await database.user.count({ where: { accountId } })) >= MAX_USERS_OF_ACCOUNT;
}

/** Password and second factor are gone, sessions end, and the user is invited anew unless they are disabled: all of it or nothing. */
export async function resetUser(database: Database, user: UserPlace, request: ChangeRequest): Promise<Invited> {
  const { token, invitation } = newInvitation();
  const outcome = await database.resetUser(user, invitation, request);
  return { outcome, link: linkOf(outcome, token) };
}

/** The only moment at which the token is known. */
interface IssuedLink {
  token: string;
  expiresAt: Date;
}

/** `unchanged`: there is no such user, or a disabled one. */
export interface Invited {
  outcome: ChangeOutcome;
  /** Undefined also where the link was made before, under the same idempotency key, or who was reset is disabled. */
  link: IssuedLink | undefined;
}

const INVITATION_SECONDS = 7 * 86_400;
const SIGN_IN_SECONDS = 3600;

/** Whoever has the token sets the password of the user, once. Earlier ones end. */
export function inviteUser(database: Database, userId: string, request: ChangeRequest): Promise<Invited> {
  return makeLink(database, { userId, purpose: 'invitation', lifeSeconds: INVITATION_SECONDS }, request);
}

/** Whoever has the token signs in as the user, once and within an hour, without a password or a second factor. */
export function makeSignInLink(database: Database, userId: string, request: ChangeRequest): Promise<Invited> {
  return makeLink(database, { userId, purpose: 'sign_in', lifeSeconds: SIGN_IN_SECONDS }, request);
}

async function makeLink(
  database: Database,
  link: { userId: string; purpose: 'invitation' | 'sign_in'; lifeSeconds: number },
  request: ChangeRequest,
): Promise<Invited> {
  const { token, hash } = newSecretToken();
  const outcome = await database.makeUserLink({ ...link, tokenHash: hash }, request);
  return { outcome, link: linkOf(outcome, token) };
}

function newInvitation() {
  const { token, hash } = newSecretToken();
  return { token, invitation: { tokenHash: hash, lifeSeconds: INVITATION_SECONDS } };
}

function linkOf(outcome: ChangeOutcome, token: string): IssuedLink | undefined {
  if (outcome.kind !== 'changed' || outcome.replayed) return undefined;
  const { expires_at: expiresAt } = outcome.row.after;
  return expiresAt === undefined ? undefined : { token, expiresAt: new Date(String(expiresAt)) };
}

/** Sets a password without asking for the former one, for demonstrations and first users. False: no such user. */
export async function setPassword(
  database: Database,
  { userId, password }: { userId: string; password: string },
  request: ChangeRequest,
): Promise<boolean> {
  const row = await database.user.findUnique({ where: { id: userId } });
  if (!row) return false;
  const change = {
    userId,
    formerHash: row.passwordHash,
    passwordHash: await hashPassword(password),
    keptSession: null,
  };
  return (await database.changePassword(change, request)).length === 1;
}

export async function hasPassword(database: Database, userId: string, password: string): Promise<boolean> {
  const row = await database.user.findUnique({ where: { id: userId } });
  return matchesPassword(password, row?.passwordHash ?? null);
}

/** Describes a user in the same way for the console, the operators' API and the command line. */
export function describeUser({ rights, ...user }: UserRecord) {
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
    created: unixSeconds(user.createdAt),
    last_signed_in_at: unixSecondsOrNull(user.lastSignedInAt),
    disabled_at: unixSecondsOrNull(user.disabledAt),
  };
}

/** The link of a console is its address with `/invitation#<token>`: behind `#`, which browsers send to nobody. */
export function describeInvitation({ token, expiresAt }: IssuedLink) {
  return { token, expires_at: unixSeconds(expiresAt) };
}
