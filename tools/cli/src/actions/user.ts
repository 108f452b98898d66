import { type UserRights, userRights } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import {
  createInvited,
  describeUser,
  findUser,
  findUsersByEmail,
  type Invited,
  inviteUser,
  resetUser,
  searchUsers,
  type UserQuery,
  type UserRecord,
} from '@mediagate/identity';
import { Refusal } from '../refusal';
import { changeBy, requireChanged } from '../require-changed';
import type { Answer, Session } from '../session';
import { textTable } from '../text-table';
import { timeText } from '../time-text';

export interface UserFields {
  email: string;
  role: string;
  account?: string;
  name?: string;
  reason?: string;
}

interface Because {
  reason?: string | undefined;
}

interface Change {
  name?: string;
  role?: string;
  disabled?: boolean;
  reason?: string;
}

export async function create(session: Session, { email, role, account, name, reason }: UserFields): Promise<Answer> {
  const rights = readRights(account === undefined ? 'operator' : 'account', role, account);
  const database = await session.openDatabase();
  const user = { email, name: name ?? email.replace(/@.*$/, ''), rights };
  const { outcome, link } = await createInvited(database, user, changeBy(session, reason));
  const row = await requireChanged(outcome, () =>
    outcome.kind === 'duplicate'
      ? `${email} is a user there already`
      : `there is no account ${account}, it is closed, or has as many users as it may`,
  );
  return linkText(session, describeUser(await requireUser(database, row.subject)), link);
}

/** The newest first. */
export async function list(session: Session, query: UserQuery): Promise<Answer> {
  const found = await searchUsers(await session.openDatabase(), query);
  const users = found.map(describeUser);
  const last = users.at(-1);
  if (last && users.length === query.limit) session.warn(`there may be older ones: --before ${last.id} goes on`);
  const rows = users.map((user) => [
    user.id,
    user.email,
    user.role,
    user.account_id ?? '',
    timeText(user.last_signed_in_at),
    timeText(user.disabled_at),
  ]);
  return { json: users, text: textTable(['ID', 'E-MAIL', 'ROLE', 'ACCOUNT', 'SIGNED IN', 'DISABLED'], rows) };
}

export async function show(session: Session, who: string): Promise<Answer> {
  const user = describeUser(await requireUser(await session.openDatabase(), who));
  const facts = Object.entries(user).map(([name, value]) => [name.replaceAll('_', ' '), String(value ?? '')]);
  return { json: user, text: textTable(['', ''], facts) };
}

export async function invite(session: Session, who: string, { reason }: Because): Promise<Answer> {
  const database = await session.openDatabase();
  const { id } = await requireUser(database, who);
  const { link } = await inviteUser(database, id, changeBy(session, reason));
  return linkText(session, describeUser(await requireUser(database, id)), link);
}

export async function update(session: Session, who: string, { reason, ...settings }: Change): Promise<Answer> {
  const database = await session.openDatabase();
  const { id, rights } = await requireUser(database, who);
  if (Object.values(settings).every((value) => value === undefined)) throw new Refusal('nothing is to be changed');
  const accountId = rights.kind === 'account' ? rights.accountId : undefined;
  if (settings.role !== undefined) readRights(rights.kind, settings.role, accountId);
  const change = { name: settings.name, role: settings.role, disabled: settings.disabled };
  const outcome = await database.changeUser({ id }, change, changeBy(session, reason));
  await requireChanged(outcome, () => `there is no user ${who}`);
  const user = describeUser(await requireUser(database, id));
  const state = user.disabled_at === null ? user.role : 'disabled';
  return { json: user, text: `${user.email} is ${state}` };
}

/** Actions on a user as a whole. */
const RESETS = { 'end-sessions': 'endUserSessions', 'reset-second-factor': 'resetSecondFactor' } as const;

export async function act(
  session: Session,
  who: string,
  { name, reason }: Because & { name: keyof typeof RESETS },
): Promise<Answer> {
  const database = await session.openDatabase();
  const { id } = await requireUser(database, who);
  const outcome = await database[RESETS[name]]({ id }, changeBy(session, reason));
  await requireChanged(outcome, () => `there is no user ${who}`);
  const user = describeUser(await requireUser(database, id));
  return { json: user, text: `${user.email} must sign in again` };
}

export async function reset(session: Session, who: string, { reason }: Because): Promise<Answer> {
  const database = await session.openDatabase();
  const { id } = await requireUser(database, who);
  const { outcome, link } = await resetUser(database, { id }, changeBy(session, reason));
  await requireChanged(outcome, () => `there is no user ${who}`);
  const user = describeUser(await requireUser(database, id));
  if (link) return linkText(session, user, link);
  return { json: user, text: `${user.email} is reset, and disabled: enable and invite them` };
}

export async function remove(session: Session, who: string, { reason }: Because): Promise<Answer> {
  const database = await session.openDatabase();
  const { id, email } = await requireUser(database, who);
  await requireChanged(await database.deleteUser({ id }, changeBy(session, reason)), () => `there is no user ${who}`);
  return { json: { id, deleted: true }, text: `${email} is deleted` };
}

function linkText(session: Session, user: ReturnType<typeof describeUser>, link: Invited['link']): Answer {
  if (!link) throw new Refusal('the user is disabled: enable them first');
  // Behind `#`, which browsers send to nobody.
  const url = `${session.deployment.consoleUrl()}/invitation#${link.token}`;
  const expires_at = link.expiresAt.getTime() / 1000;
  return {
    json: { ...user, invitation: { url, token: link.token, expires_at } },
    text: `${user.email} sets a password, until ${timeText(expires_at)}, at\n${url}`,
  };
}

async function requireUser(database: Database, who: string): Promise<UserRecord> {
  const found = who.includes('@') ? await findUsersByEmail(database, who) : [await findUser(database, who)];
  const [user, ...others] = found;
  if (!user) throw new Refusal(`there is no user ${who}`);
  if (others.length === 0) return user;
  const ids = found.flatMap((each) => (each ? [`${each.id} (${each.accountName ?? 'operators'})`] : []));
  throw new Refusal(`${who} is the address of several users: name one by its id, ${ids.join(', ')}`);
}

function readRights(kind: string, role: string, accountId: string | undefined): UserRights {
  const rights = userRights(kind, role, accountId);
  if (!rights) throw new Refusal(`${role} is no role of ${kind === 'operator' ? 'operators' : 'an account'}`);
  return rights;
}
