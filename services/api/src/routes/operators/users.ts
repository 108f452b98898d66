import {
  ACCOUNT_ROLES,
  GatewayError,
  isEmailAddress,
  message,
  OPERATOR_ROLES,
  USER_KINDS,
  USER_STATES,
  type UserRights,
  userRights,
} from '@mediagate/contracts';
import { type ChangeOutcome, type ChangeRequest, type Database, readPage, type UserPlace } from '@mediagate/database';
import {
  createInvited,
  describeInvitation,
  describeUser,
  findUser,
  hasAllUsers,
  type Invited,
  inviteUser,
  MAX_USERS_OF_ACCOUNT,
  resetUser,
  searchUsers,
  type UserRecord,
} from '@mediagate/identity';
import { requireRole } from '../../http/access/authenticate-operator';
import { requireChanged, sendData } from '../../http/answers/answer-change';
import type { OperatorCall } from '../../http/exchange';
import type { BodyFields } from '../../http/fields/body-fields';
import { readPageQuery, sendPage } from '../../http/fields/page';
import type { OperatorHandler } from '../../http/route';
import { accountNotFound } from '../../use-cases/require-made';
import { readChange } from './change';

const LIST = 'users';
const LINE = { maxCharacters: 200 };
const ACCOUNT_ID = { maxCharacters: 64 };
const ROLES = [...OPERATOR_ROLES, ...ACCOUNT_ROLES];

/** GET /admin/v1/users: the newest first. */
export const adminListUsers: OperatorHandler = async ({ request, response }, { database }) => {
  const { query, limit, place: before } = readPageQuery(request, LIST);
  const wanted = {
    accountId: query.text('account_id'),
    kind: query.oneOf('kind', USER_KINDS),
    role: query.oneOf('role', ROLES),
    state: query.oneOf('state', USER_STATES),
    email: query.text('email'),
  };
  query.end();
  const page = await readPage<UserRecord>(limit, (rows) => searchUsers(database, { ...wanted, before, limit: rows }));
  sendPage(response, LIST, page, describeUser);
};

/** GET /admin/v1/users/{user_id} */
export const adminGetUser: OperatorHandler = async (call, { database }) =>
  sendData(call.response, describeUser(await requireUser(call, database)));

/** POST /admin/v1/users */
export const adminInviteUser: OperatorHandler = async (call, { database }) => {
  const { fields, end } = await readChange(call);
  const [email, name] = [readEmail(fields), fields.requiredLine('name', LINE)];
  const rights = readRights(fields);
  const request = end();
  const made = await createInvited(database, { email, name, rights: rights() }, request);
  const duplicate = { message: message('user_exists', { field: 'email' }), param: 'email' };
  const unchanged = () => whyNotMade(rights(), database);
  const { subject } = await requireChanged(call.response, made.outcome, { unchanged, duplicate });
  await sendInvited(call, { database, userId: subject, invited: made, status: 201 });
};

/** POST /admin/v1/users/{user_id}/invite */
export const adminInviteUserAgain: OperatorHandler = async (call, { database }) => {
  const { user, request } = await readUserChange(call, database);
  const invited = await inviteUser(database, user.id, request);
  await requireChanged(call.response, invited.outcome, { unchanged: () => userDisabled() });
  await sendInvited(call, { database, userId: user.id, invited, status: 200 });
};

/** POST /admin/v1/users/{user_id}/reset: who is disabled is not invited. */
export const adminResetUser: OperatorHandler = async (call, { database }) => {
  const { user, request } = await readUserChange(call, database);
  const invited = await resetUser(database, { id: user.id }, request);
  await requireChanged(call.response, invited.outcome, { unchanged: userNotFound });
  await sendInvited(call, { database, userId: user.id, invited, status: 200 });
};

/** PATCH /admin/v1/users/{user_id} */
export const adminUpdateUser: OperatorHandler = async (call, { database }) => {
  const { fields, end } = await readChange(call);
  const user = await requireOther(call, database);
  const settings = { name: fields.line('name', LINE), role: fields.oneOf('role', rolesOf(user.rights.kind)) };
  const outcome = await database.changeUser({ id: user.id }, settings, end());
  await sendChanged(call, outcome, database);
};

type ChangeUser = (database: Database, user: UserPlace, request: ChangeRequest) => Promise<ChangeOutcome>;

function setUser(change: ChangeUser): OperatorHandler {
  return async (call, { database }) => {
    const { user, request } = await readUserChange(call, database);
    await sendChanged(call, await change(database, { id: user.id }, request), database);
  };
}

function setDisabled(disabled: boolean): OperatorHandler {
  return setUser((database, user, request) => database.changeUser(user, { disabled }, request));
}

/** POST /admin/v1/users/{user_id}/disable, /enable, /end-sessions and /reset-second-factor */
export const adminDisableUser = setDisabled(true);
export const adminEnableUser = setDisabled(false);
export const adminEndUserSessions = setUser((database, user, request) => database.endUserSessions(user, request));
export const adminResetUserSecondFactor = setUser((database, user, request) =>
  database.resetSecondFactor(user, request),
);

/** DELETE /admin/v1/users/{user_id} */
export const adminDeleteUser: OperatorHandler = async (call, { database }) => {
  const request = (await readChange(call)).end();
  const id = userIdOf(call);
  refuseOwn(call, await findUser(database, id));
  await requireChanged(call.response, await database.deleteUser({ id }, request), { unchanged: userNotFound });
  sendData(call.response, { id, deleted: true });
};

async function readUserChange(call: OperatorCall, database: Database) {
  const request = (await readChange(call)).end();
  return { user: await requireOther(call, database), request };
}

async function requireUser(call: OperatorCall, database: Database): Promise<UserRecord> {
  const user = await findUser(database, userIdOf(call));
  if (!user) throw userNotFound();
  return user;
}

/** Nobody manages themself, so that none locks itself out, nor an operator of a higher role. */
async function requireOther(call: OperatorCall, database: Database): Promise<UserRecord> {
  const user = await requireUser(call, database);
  refuseOwn(call, user);
  if (user.rights.kind === 'operator') requireRole(call.operator, user.rights);
  return user;
}

function refuseOwn({ operator }: OperatorCall, user: UserRecord | undefined): void {
  if (user?.credentialId !== operator.id) return;
  throw new GatewayError('conflict', message('own_user'), { reason: 'wrong_state' });
}

async function sendChanged(call: OperatorCall, outcome: ChangeOutcome, database: Database): Promise<void> {
  await requireChanged(call.response, outcome, { unchanged: userNotFound });
  sendData(call.response, describeUser(await requireUser(call, database)));
}

interface InvitedAnswer {
  database: Database;
  userId: string;
  invited: Invited;
  status: number;
}

async function sendInvited(
  { response }: OperatorCall,
  { database, userId, invited: { link }, status }: InvitedAnswer,
): Promise<void> {
  const user = await findUser(database, userId);
  if (!user) throw userNotFound();
  const invitation = link === undefined ? {} : { invitation: describeInvitation(link) };
  sendData(response, { ...describeUser(user), ...invitation }, status);
}

function readEmail(fields: BodyFields): string {
  const email = fields.requiredLine('email', LINE);
  if (email !== '' && !isEmailAddress(email)) fields.refuse('invalid_parameter', 'email', 'must_be_email');
  return email;
}

/** Reads the rights of a user; the function that it returns may be called only if no field was refused. */
function readRights(fields: BodyFields): () => UserRights {
  const accountId = fields.line('account_id', ACCOUNT_ID);
  const kind = accountId === undefined ? 'operator' : 'account';
  const role = fields.required('role', fields.oneOf('role', rolesOf(kind))) ?? '';
  return () => {
    const rights = userRights(kind, role, accountId);
    if (!rights) throw new Error(`${role} is a role of ${kind}`);
    return rights;
  };
}

function rolesOf(kind: UserRights['kind']): readonly string[] {
  return kind === 'operator' ? OPERATOR_ROLES : ACCOUNT_ROLES;
}

async function whyNotMade(rights: UserRights, database: Database): Promise<GatewayError> {
  if (rights.kind !== 'account' || !(await hasAllUsers(database, rights.accountId))) return accountNotFound();
  const about = message('too_many_users', { limit: MAX_USERS_OF_ACCOUNT });
  return new GatewayError('conflict', about, { reason: 'wrong_state' });
}

function userIdOf({ request }: OperatorCall): string {
  return String(request.params['user_id']);
}

function userNotFound(): GatewayError {
  return new GatewayError('not_found', message('user_not_found'));
}

function userDisabled(): GatewayError {
  return new GatewayError('conflict', message('user_disabled'), { reason: 'wrong_state' });
}
