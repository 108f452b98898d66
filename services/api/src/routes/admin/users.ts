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
import type { ChangeOutcome, ChangeRequest, UserPlace, UserSettings } from '@mediagate/database';
import {
  describeInvitation,
  describeUser,
  type Invited,
  MAX_USERS_OF_ACCOUNT,
  type NewUser,
  type UserQuery,
  type UserRecord,
} from '@mediagate/identity';
import { requireRole } from '../../http/authenticate-operator';
import type { BodyFields } from '../../http/body-fields';
import type { OperatorCall } from '../../http/exchange';
import type { OperatorHandler } from '../../http/handler';
import { accountNotFound } from '../../use-cases/account-refusals';
import { readChange, requireChanged, sendData } from './change';
import { readPage, sendPage } from './page';

type ChangeUser = (user: UserPlace, request: ChangeRequest) => Promise<ChangeOutcome>;

export interface UserDeps {
  searchUsers(query: UserQuery): Promise<UserRecord[]>;
  readUser(id: string): Promise<UserRecord | undefined>;
  createInvited(user: NewUser, request: ChangeRequest): Promise<Invited>;
  changeUser(change: { user: UserPlace; settings: UserSettings }, request: ChangeRequest): Promise<ChangeOutcome>;
  deleteUser: ChangeUser;
  resetUser(user: UserPlace, request: ChangeRequest): Promise<Invited>;
  resetSecondFactor: ChangeUser;
  endUserSessions: ChangeUser;
  inviteUser(userId: string, request: ChangeRequest): Promise<Invited>;
  hasAllUsers(accountId: string): Promise<boolean>;
}

const LIST = 'users';
const LINE = { maxCharacters: 200 };
const ACCOUNT_ID = { maxCharacters: 64 };
const ROLES = [...OPERATOR_ROLES, ...ACCOUNT_ROLES];

/** GET /admin/v1/users: the newest first. */
export function createListUsers({ searchUsers }: UserDeps): OperatorHandler {
  return async ({ request, response }) => {
    const { query, limit, place: before } = readPage(request, LIST);
    const wanted = {
      accountId: query.text('account_id'),
      kind: query.oneOf('kind', USER_KINDS),
      role: query.oneOf('role', ROLES),
      state: query.oneOf('state', USER_STATES),
      email: query.text('email'),
    };
    query.end();
    const users = await searchUsers({ ...wanted, before, limit: limit + 1 });
    sendPage(response, users, { list: LIST, limit, placeOf: ({ id }) => id, describe: describeUser });
  };
}

/** GET /admin/v1/users/{user_id} */
export function createGetUser(deps: UserDeps): OperatorHandler {
  return async (call) => sendData(call.response, describeUser(await requireUser(call, deps)));
}

/** POST /admin/v1/users */
export function createInviteUser(deps: UserDeps): OperatorHandler {
  return async (call) => {
    const { fields, end } = await readChange(call);
    const [email, name] = [readEmail(fields), fields.requiredLine('name', LINE)];
    const rights = readRights(fields);
    const request = end();
    const made = await deps.createInvited({ email, name, rights: rights() }, request);
    const duplicate = { message: message('user_exists', { field: 'email' }), param: 'email' };
    const unchanged = () => whyNotMade(rights(), deps);
    const { subject } = await requireChanged(call.response, made.outcome, { unchanged, duplicate });
    await sendInvited(call, { deps, userId: subject, invited: made, status: 201 });
  };
}

/** POST /admin/v1/users/{user_id}/invite */
export function createInviteUserAgain(deps: UserDeps): OperatorHandler {
  return async (call) => {
    const { user, request } = await readUserChange(call, deps);
    const invited = await deps.inviteUser(user.id, request);
    await requireChanged(call.response, invited.outcome, { unchanged: () => userDisabled() });
    await sendInvited(call, { deps, userId: user.id, invited, status: 200 });
  };
}

/** POST /admin/v1/users/{user_id}/reset: who is disabled is not invited. */
export function createResetUser(deps: UserDeps): OperatorHandler {
  return async (call) => {
    const { user, request } = await readUserChange(call, deps);
    const invited = await deps.resetUser({ id: user.id }, request);
    await requireChanged(call.response, invited.outcome, { unchanged: userNotFound });
    await sendInvited(call, { deps, userId: user.id, invited, status: 200 });
  };
}

/** PATCH /admin/v1/users/{user_id} */
export function createUpdateUser(deps: UserDeps): OperatorHandler {
  return async (call) => {
    const { fields, end } = await readChange(call);
    const user = await requireOther(call, deps);
    const settings = { name: fields.line('name', LINE), role: fields.oneOf('role', rolesOf(user.rights.kind)) };
    const outcome = await deps.changeUser({ user: { id: user.id }, settings }, end());
    await sendChanged(call, outcome, deps);
  };
}

/** POST /admin/v1/users/{user_id}/disable, /enable, /end-sessions and /reset-second-factor */
export function createSetUser(deps: UserDeps, change: ChangeUser): OperatorHandler {
  return async (call) => {
    const { user, request } = await readUserChange(call, deps);
    await sendChanged(call, await change({ id: user.id }, request), deps);
  };
}

/** DELETE /admin/v1/users/{user_id} */
export function createDeleteUser(deps: UserDeps): OperatorHandler {
  return async (call) => {
    const request = (await readChange(call)).end();
    const id = userIdOf(call);
    refuseOwn(call, await deps.readUser(id));
    await requireChanged(call.response, await deps.deleteUser({ id }, request), { unchanged: userNotFound });
    sendData(call.response, { id, deleted: true });
  };
}

async function readUserChange(call: OperatorCall, deps: UserDeps) {
  const request = (await readChange(call)).end();
  return { user: await requireOther(call, deps), request };
}

async function requireUser(call: OperatorCall, { readUser }: UserDeps): Promise<UserRecord> {
  const user = await readUser(userIdOf(call));
  if (!user) throw userNotFound();
  return user;
}

/** Nobody manages themself, so that none locks itself out, nor an operator of a higher role. */
async function requireOther(call: OperatorCall, deps: UserDeps): Promise<UserRecord> {
  const user = await requireUser(call, deps);
  refuseOwn(call, user);
  if (user.rights.kind === 'operator') requireRole(call.operator, user.rights);
  return user;
}

function refuseOwn({ operator }: OperatorCall, user: UserRecord | undefined): void {
  if (user?.credentialId !== operator.id) return;
  throw new GatewayError('conflict', message('own_user'), { reason: 'wrong_state' });
}

async function sendChanged(call: OperatorCall, outcome: ChangeOutcome, deps: UserDeps): Promise<void> {
  await requireChanged(call.response, outcome, { unchanged: userNotFound });
  sendData(call.response, describeUser(await requireUser(call, deps)));
}

interface InvitedAnswer {
  deps: UserDeps;
  userId: string;
  invited: Invited;
  status: number;
}

async function sendInvited(
  { response }: OperatorCall,
  { deps, userId, invited: { link }, status }: InvitedAnswer,
): Promise<void> {
  const user = await deps.readUser(userId);
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

async function whyNotMade(rights: UserRights, { hasAllUsers }: UserDeps): Promise<GatewayError> {
  if (rights.kind !== 'account' || !(await hasAllUsers(rights.accountId))) return accountNotFound();
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
