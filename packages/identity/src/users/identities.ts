import type { UserRights } from '@mediagate/contracts';
import type { ChangeRequest, Database } from '@mediagate/database';
import { createUser } from './manage-users';
import { findKnown, findUntied, type ProvenAddress, placeOf } from './places';
import { normalEmail } from './user-record';

/** Whom a provider has let in, and what it says of them. */
export interface ProvenIdentity extends ProvenAddress {
  name: string | undefined;
  /** The rights that the provider's roles stand for here; `none`: they stand for nothing. Undefined: users are invited. */
  rights: UserRights | 'none' | undefined;
}

/** The choice of where to sign in, made by somebody whom the provider lets in. */
export interface InvitedChoice {
  /** The account whose user they are, by its id, or `operators`; undefined: the only one that they are known in. */
  account?: string | undefined;
  /** They have seen who invited them, and join. */
  joins: boolean;
}

/**
 * `password_first`: the address is of a user with a password, whom `keepProven` ties once they have signed in with it. `invited`: they
 * have not said yet that they join, or whom of several. `several`: they are known in several accounts, and named none.
 */
export type Identified = { userId: string } | { fault: 'not_invited' | 'password_first' | 'invited' | 'several' };

const NOT_INVITED: Identified = { fault: 'not_invited' };

/**
 * The user who is meant: the one who came before, or was invited under the address, or whom the provider's roles make one. Rights that
 * the provider says replace those that the user has.
 * Who invites an address decides nothing for its owner, who would else work, unasked, in the account of a stranger.
 */
export async function findIdentified(
  database: Database,
  proven: ProvenIdentity,
  { account, joins }: InvitedChoice,
): Promise<Identified> {
  const { rights, identity } = proven;
  if (rights === 'none') return NOT_INVITED;
  const request: ChangeRequest = { actor: 'provider' };
  const place = rights === undefined ? account : placeOf(rights);
  const [known, another] = await findKnown(database, identity, place);
  if (another && place === undefined) return { fault: 'several' };
  const found =
    (known && { userId: known.id }) ??
    (await tieInvited(database, { ...proven, place, joins: joins || rights !== undefined }, request)) ??
    (await makeUser(database, { ...proven, rights }, request));
  if ('userId' in found && rights !== undefined) await follow(database, found.userId, rights, request);
  return found;
}

/** Undefined: nobody is invited under that address. */
async function tieInvited(
  database: Database,
  { identity, email, place, joins }: ProvenIdentity & { place: string | undefined; joins: boolean },
  request: ChangeRequest,
): Promise<Identified | undefined> {
  const [invited, ...others] = await findUntied(database, email, place);
  if (!invited) return undefined;
  if (others.length > 0) return { fault: 'invited' };
  // Whoever had the invitation's link may have set it: the address alone does not prove that the user is the same person.
  if (invited.passwordHash !== null) return { fault: 'password_first' };
  if (!joins) return { fault: 'invited' };
  const tied = await database.keepIdentity({ userId: invited.id, identity, passwordHash: null }, request);
  return tied.length === 1 ? { userId: invited.id } : NOT_INVITED;
}

/** Ties a user who signed in with the compared password to the provider, which lets them in from now on if it vouches for their address. */
export async function keepProven(
  database: Database,
  user: { id: string; email: string; passwordHash: string | null },
  { identity, email }: ProvenAddress,
): Promise<void> {
  if (email === undefined || normalEmail(email) !== user.email) return;
  const { id: userId, passwordHash } = user;
  await database.keepIdentity({ userId, identity, passwordHash }, { actor: `user:${userId}` });
}

async function makeUser(
  database: Database,
  { identity, email, name, rights }: ProvenIdentity & { rights: UserRights | undefined },
  request: ChangeRequest,
): Promise<Identified> {
  if (email === undefined || rights === undefined) return NOT_INVITED;
  const user = { email: normalEmail(email), name: name ?? email, rights, identity };
  const made = await createUser(database, user, request);
  return made.kind === 'changed' ? { userId: made.row.subject } : NOT_INVITED;
}

async function follow(database: Database, userId: string, { role }: UserRights, request: ChangeRequest): Promise<void> {
  const row = await database.user.findUnique({ where: { id: userId } });
  if (row && row.role !== role) await database.changeUser({ id: userId }, { role }, request);
}
