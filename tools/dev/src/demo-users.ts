import type { UserRights } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import { createUser, findUsersByEmail, hasPassword, makeSignInLink, setPassword } from '@mediagate/identity';

export interface DemoUser {
  email: string;
  /** Signs in once, without the password. */
  oneTimeToken: string;
}

export interface DemoUsers {
  operator: DemoUser;
  /** An owner of the demo's account. */
  customer: DemoUser;
}

export interface WantedUsers {
  /** E-mail address. */
  operator: string;
  password: string;
  accountId: string;
}

const CUSTOMER = 'customer@demo.localhost';
const BY_DEMO = { actor: 'system' };

/** The users of earlier starts when this database still has them, with the password of today; else new ones. */
export async function openDemoUsers(
  database: Database,
  { operator, password, accountId }: WantedUsers,
): Promise<DemoUsers> {
  const owner: UserRights = { kind: 'account', role: 'owner', accountId };
  return {
    operator: await openUser(database, { email: operator, name: 'Demo operator', rights: ADMIN }, password),
    customer: await openUser(database, { email: CUSTOMER, name: 'Demo customer', rights: owner }, password),
  };
}

const ADMIN: UserRights = { kind: 'operator', role: 'admin' };

interface Wanted {
  email: string;
  name: string;
  rights: UserRights;
}

async function openUser(database: Database, wanted: Wanted, password: string): Promise<DemoUser> {
  const userId = (await keptUser(database, wanted)) ?? (await newUser(database, wanted));
  if (!(await hasPassword(database, userId, password))) await setPassword(database, { userId, password }, BY_DEMO);
  const { link } = await makeSignInLink(database, userId, BY_DEMO);
  if (!link) throw new Error(`the demo's user ${wanted.email} is disabled`);
  return { email: wanted.email, oneTimeToken: link.token };
}

/** Users of accounts that are not the demo's any more are deleted: whoever signs in under the address is meant to be in this one. */
async function keptUser(database: Database, { email, rights }: Wanted): Promise<string | undefined> {
  const users = await findUsersByEmail(database, email);
  const found = users.find((each) => accountOf(each.rights) === accountOf(rights));
  for (const { id } of users) if (id !== found?.id) await database.deleteUser({ id }, BY_DEMO);
  if (found && found.disabledAt !== null) {
    await database.changeUser({ id: found.id }, { disabled: false }, BY_DEMO);
  }
  return found?.id;
}

function accountOf(rights: UserRights): string | undefined {
  return rights.kind === 'account' ? rights.accountId : undefined;
}

async function newUser(database: Database, wanted: Wanted): Promise<string> {
  const made = await createUser(database, wanted, BY_DEMO);
  if (made.kind !== 'changed') throw new Error(`the demo's user ${wanted.email} was not made: ${made.kind}`);
  return made.row.subject;
}
