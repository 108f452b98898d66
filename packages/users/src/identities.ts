import type { UserRights } from '@mediagate/contracts';
import type { ChangeRequest, Database } from '@mediagate/database';
import { changeUser, createUser } from './manage-users';
import { findUserByEmail, normalEmail } from './user-record';

/** Whom a provider has let in, and what it says of them. */
export interface ProvenIdentity {
  /** Issuer and subject, with a space between: it stays when the e-mail address changes. */
  identity: string;
  /** Undefined: the provider does not vouch for one. */
  email: string | undefined;
  name: string | undefined;
  /** What the provider's roles stand for here; `none`: for nothing. Undefined: users are invited. */
  rights: UserRights | 'none' | undefined;
}

/**
 * The user who is meant: the one who came before, or was invited under the address, or whom the provider's roles make one. Undefined:
 * nobody, as where those roles stand for nothing. Rights that the provider says replace those that the user has.
 */
export async function findIdentified(database: Database, proven: ProvenIdentity): Promise<string | undefined> {
  const { rights } = proven;
  if (rights === 'none') return undefined;
  const request: ChangeRequest = { actor: 'provider' };
  const known = await database.user.findUnique({ where: { identity: proven.identity } });
  const userId =
    known?.id ??
    (await tieInvited(database, proven, request)) ??
    (await makeUser(database, { ...proven, rights }, request));
  if (userId === undefined || rights === undefined) return userId;
  return (await follow(database, userId, rights, request)) ? userId : undefined;
}

async function tieInvited(
  database: Database,
  { identity, email }: ProvenIdentity,
  request: ChangeRequest,
): Promise<string | undefined> {
  const invited = email === undefined ? undefined : await findUserByEmail(database, email);
  if (!invited) return undefined;
  const tied = await database.keepIdentity(invited.id, identity, request);
  return tied.length === 1 ? invited.id : undefined;
}

async function makeUser(
  database: Database,
  { identity, email, name, rights }: ProvenIdentity & { rights: UserRights | undefined },
  request: ChangeRequest,
): Promise<string | undefined> {
  if (email === undefined || rights === undefined) return undefined;
  const user = { email: normalEmail(email), name: name ?? email, rights, identity };
  const made = await createUser(database, user, request);
  return made.kind === 'changed' ? made.row.subject : undefined;
}

/** False: the provider's roles make somebody of another kind or account of them, whom they cannot become. */
async function follow(
  database: Database,
  userId: string,
  rights: UserRights,
  request: ChangeRequest,
): Promise<boolean> {
  const row = await database.user.findUnique({ where: { id: userId } });
  const accountId = rights.kind === 'account' ? rights.accountId : null;
  if (!row || row.kind !== rights.kind || row.accountId !== accountId) return false;
  if (row.role !== rights.role) {
    await changeUser(database, { user: { id: userId }, settings: { role: rights.role } }, request);
  }
  return true;
}
