import type { UserRights } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { normalEmail, OPERATORS, usersIn } from './user-record';

/** Somebody's identity and address, as a provider has proven them. */
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

/** Places listed of each kind. Strangers can invite somebody to more; whoever names the account reaches those too. */
const MAX_PLACES = 20;

/** Lists accounts that know them before those that invite them. Holders choose the names of an account and its users, not the id. */
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

/** Finds the users of one person at the provider, the last signed in first: a person disabled in one account goes on in the others. */
export function findKnown(database: Database, identity: string, place: string | undefined) {
  return database.user.findMany({
    where: { identity, disabledAt: null, ...usersIn(place) },
    include: { account: { select: { name: true } } },
    orderBy: [{ lastSignedInAt: { sort: 'desc', nulls: 'last' } }, { id: 'asc' }],
    take: MAX_PLACES,
  });
}

/** Finds the users of an address whom no provider has let in yet, the newest first. */
export async function findUntied(database: Database, email: string | undefined, place: string | undefined) {
  if (email === undefined) return [];
  return database.user.findMany({
    where: { email: normalEmail(email), identity: null, disabledAt: null, ...usersIn(place) },
    include: { account: { select: { name: true } } },
    orderBy: { id: 'desc' },
    take: MAX_PLACES,
  });
}

/** Finds inviters by the audit log, which names the token or key of whoever made a user. */
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
