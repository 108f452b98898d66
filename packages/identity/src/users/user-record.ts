import { type UserRights, userRights } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';

/** A user as others see them. */
export interface UserRecord {
  id: string;
  email: string;
  name: string;
  rights: UserRights;
  /** Null: an operator. */
  accountName: string | null;
  totp: boolean;
  /** False: invited, and has not set a password nor signed in by a provider. */
  hasJoined: boolean;
  createdAt: Date;
  lastSignedInAt: Date | null;
  disabledAt: Date | null;
  /** The id of the token or key that stands for them; null: there is none yet. */
  credentialId: string | null;
  hasPassword: boolean;
  /** The provider that signs them in; null: none has. */
  issuer: string | null;
}

export interface UserFilter {
  /** Finds users of this account alone; undefined: all users, operators too. */
  accountId?: string | undefined;
}

/** Undefined: nobody has that id, or not in that account. */
export async function findUser(
  database: Database,
  id: string,
  { accountId }: UserFilter = {},
): Promise<UserRecord | undefined> {
  const row = await database.user.findFirst({
    where: accountId === undefined ? { id } : { id, accountId },
    include: { account: { select: { name: true } } },
  });
  return row === null ? undefined : toRecord(row);
}

/** The same address may be an operator's, and that of a user of each account; the oldest first. */
export async function findUsersByEmail(database: Database, email: string): Promise<UserRecord[]> {
  const rows = await database.user.findMany({
    where: { email: normalEmail(email) },
    include: { account: { select: { name: true } } },
    orderBy: { id: 'asc' },
  });
  return rows.map(toRecord);
}

/** Where an address is a user's: an account's id. */
export const OPERATORS = 'operators';

/** @param place undefined: everywhere. */
export function usersIn(place: string | undefined): { accountId?: string | null } {
  return place === undefined ? {} : { accountId: place === OPERATORS ? null : place };
}

/** The form in which an address is kept and looked up. */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}

type Row = NonNullable<Awaited<ReturnType<Database['user']['findUnique']>>> & { account: { name: string } | null };

/** Leaves out the proofs of who they are. */
export function toRecord(row: Row): UserRecord {
  const { id, email, name, createdAt, lastSignedInAt, disabledAt, credentialId } = row;
  return {
    id,
    email,
    name,
    rights: rightsOf(row),
    accountName: row.account?.name ?? null,
    totp: row.totpConfirmedAt !== null,
    hasJoined: row.passwordHash !== null || row.identity !== null,
    createdAt,
    lastSignedInAt,
    disabledAt,
    credentialId,
    hasPassword: row.passwordHash !== null,
    issuer: row.identity?.split(' ')[0] ?? null,
  };
}

/** @throws Error for a row that no constraint of the table lets in. */
export function rightsOf({
  kind,
  role,
  accountId,
}: {
  kind: string;
  role: string;
  accountId: string | null;
}): UserRights {
  const rights = userRights(kind, role, accountId);
  if (!rights) throw new Error(`a user of kind ${kind} has the role ${role}`);
  return rights;
}
