import type { UserKind, UserState } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { normalEmail, toRecord, type UserRecord } from './user-record';

/** Selects users; undefined fields do not narrow the search. */
export interface UserQuery {
  accountId?: string | undefined;
  kind?: UserKind | undefined;
  role?: string | undefined;
  state?: UserState | undefined;
  /** How the e-mail address begins. */
  email?: string | undefined;
  /** The last id of the page before. */
  before?: string | undefined;
  limit: number;
}

/** The newest first. */
export async function searchUsers(database: Database, query: UserQuery): Promise<UserRecord[]> {
  const { accountId, kind, role, state, email, before, limit } = query;
  const rows = await database.user.findMany({
    where: {
      ...(accountId !== undefined && { accountId }),
      ...(kind !== undefined && { kind }),
      ...(role !== undefined && { role }),
      ...(state !== undefined && STATES[state]),
      ...(email !== undefined && { email: { startsWith: normalEmail(email) } }),
      ...(before !== undefined && { id: { lt: before } }),
    },
    orderBy: { id: 'desc' },
    include: { account: { select: { name: true } } },
    take: limit,
  });
  return rows.map(toRecord);
}

const STATES = {
  active: { disabledAt: null, OR: [{ passwordHash: { not: null } }, { identity: { not: null } }] },
  invited: { disabledAt: null, passwordHash: null, identity: null },
  disabled: { disabledAt: { not: null } },
} satisfies Record<UserState, object>;
