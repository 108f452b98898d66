import type { UserRights } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { normalEmail, OPERATORS, usersIn } from './user-record';

/** What a provider has proven of somebody. */
export interface ProvenAddress {
  /** Issuer and subject, with a space between: it stays when the e-mail address changes. */
  identity: string;
  /** Undefined: the provider does not vouch for one. */
  email: string | undefined;
}

/** Where somebody whom a provider has let in may sign in. */
export interface SignInPlace {
  /** Its id, or `operators`. */
  account: string;
  /** Null: operators. */
  name: string | null;
  /** False: they are invited, and have not said yet that they join. */
  hasJoined: boolean;
  invitedAt: Date;
  /** The e-mail address of who made them a user; null: who did is no user of today, or a program. */
  invitedBy: string | null;
}

/** Of each kind. More than that, as one can be given by strangers, are reached by naming the account. */
const MAX_PLACES = 20;

/** Those that they are known in before those that invite them. The account's name and its users' are its holder's choice, the id is not. */
export async function listPlaces(
  database: Database,
  { identity, email }: ProvenAddress,
  account: string | undefined,
): Promise<SignInPlace[]> {
  const known = await findKnown(database, identity, account);
  const invited = await findUntied(database, email, account);
  const inviters = await findInviters(database, invited);
  return [...known, ...invited].map((user) => ({
    account: user.accountId ?? OPERATORS,
    name: user.account?.name ?? null,
    hasJoined: user.identity !== null,
    invitedAt: user.createdAt,
    invitedBy: inviters.get(user.id) ?? null,
  }));
}

/** Of the same person at the provider, where they were last first: whom one account has disabled goes on in the others. */
export function findKnown(database: Database, identity: string, place: string | undefined) {
  return database.user.findMany({
    where: { identity, disabledAt: null, ...usersIn(place) },
    include: { account: { select: { name: true } } },
    orderBy: [{ lastSignedInAt: { sort: 'desc', nulls: 'last' } }, { id: 'asc' }],
    take: MAX_PLACES,
  });
}

/** Of an address, whom no provider has let in yet: the newest first. */
export async function findUntied(database: Database, email: string | undefined, place: string | undefined) {
  if (email === undefined) return [];
  return database.user.findMany({
    where: { email: normalEmail(email), identity: null, disabledAt: null, ...usersIn(place) },
    include: { account: { select: { name: true } } },
    orderBy: { id: 'desc' },
    take: MAX_PLACES,
  });
}

/** By the audit log, which names the token or key that stands for who made a user. */
async function findInviters(
  database: Database,
  users: readonly { id: string }[],
): Promise<Map<string, string | undefined>> {
  const entries = await database.auditLogEntry.findMany({
    where: { subject: { in: users.map(({ id }) => id) }, action: 'user.create' },
    select: { subject: true, actor: true },
  });
  const made = entries.map(({ subject, actor }) => ({ userId: subject, credentialId: actor.split(':')[1] ?? '' }));
  const inviters = await database.user.findMany({
    where: { credentialId: { in: made.map(({ credentialId }) => credentialId) } },
    select: { credentialId: true, email: true },
  });
  const emails = new Map(inviters.map(({ credentialId, email }) => [credentialId, email]));
  return new Map(made.map(({ userId, credentialId }) => [userId, emails.get(credentialId)]));
}

export function placeOf(rights: UserRights): string {
  return rights.kind === 'account' ? rights.accountId : OPERATORS;
}
