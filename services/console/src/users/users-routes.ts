import { type UserRights, userRights } from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest, Database, UserPlace } from '@mediagate/database';
import {
  changeUser,
  createUser,
  deleteUser,
  describeUser,
  findUser,
  type IssuedLink,
  inviteUser,
  listUsers,
  resetUser,
} from '@mediagate/users';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { FieldFault, Fields } from '../http/fields';
import { readJson } from '../http/read-json';
import { NOT_FOUND, type Refusal, ROLE_TOO_LOW, refuse } from '../http/refuse';
import { sessionOf } from '../session/require-session';
import { actorOfSession, scopeOf } from './user-scope';

export interface UsersDeps {
  database: Database;
  /** Where browsers reach the console. */
  consoleUrl(request: Request): string;
}

/** What a request to manage users has beside its body. */
interface Management {
  request: Request;
  response: Response;
  scope: { accountId: string | undefined };
  change: ChangeRequest;
}

/** `/users`: for operators who may do everything, and for the owners of an account. */
export function createUsersRoutes(deps: UsersDeps): Router {
  const router = Router();
  const managed = (handle: (management: Management, deps: UsersDeps) => Promise<void>): RequestHandler => {
    return async (request, response) => {
      const session = sessionOf(response);
      const scope = scopeOf(session.rights);
      if (!scope) return refuse(response, ROLE_TOO_LOW);
      const isOwn = request.params['id'] === session.userId && request.method !== 'GET';
      if (isOwn) return refuse(response, OWN_USER);
      await handle({ request, response, scope, change: { actor: actorOfSession(session) } }, deps);
    };
  };
  router.get('/', managed(list));
  router.post('/', readJson, managed(invite));
  router.get('/:id', managed(show));
  router.patch('/:id', readJson, managed(change));
  router.delete('/:id', managed(remove));
  router.post('/:id/invitation', managed(inviteAgain));
  router.post('/:id/reset', managed(reset));
  return router;
}

const OWN_USER: Refusal = {
  status: 409,
  reason: 'own_user',
  message: 'Nobody manages themself: ask another one, or use /users/me.',
};
const TAKEN: Refusal = { status: 409, reason: 'email_taken', message: 'Somebody has this e-mail address.' };
const NO_ACCOUNT: Refusal = {
  status: 404,
  reason: 'no_account',
  message: 'There is no such account, or it is closed.',
};
const DISABLED: Refusal = { status: 409, reason: 'user_disabled', message: 'The user is disabled.' };

async function list({ response, scope }: Management, { database }: UsersDeps): Promise<void> {
  response.json({ data: (await listUsers(database, scope)).map(describeUser) });
}

async function show({ request, response, scope }: Management, { database }: UsersDeps): Promise<void> {
  const user = await findUser(database, idOf(request), scope);
  if (user) response.json({ data: describeUser(user) });
  else refuse(response, NOT_FOUND);
}

async function invite(management: Management, deps: UsersDeps): Promise<void> {
  const { request, response, scope, change } = management;
  const fields = new Fields(request.body);
  const [email, name] = [readEmail(fields), fields.line('name')];
  const rights = readRights(fields, scope);
  fields.end();
  const outcome = await createUser(deps.database, { email, name, rights }, change);
  if (outcome.kind === 'changed') return sendInvited(outcome.row.subject, management, deps);
  refuse(response, outcome.kind === 'duplicate' ? TAKEN : NO_ACCOUNT);
}

async function change({ request, response, scope, change }: Management, { database }: UsersDeps): Promise<void> {
  const fields = new Fields(request.body);
  const [name, role] = [fields.optionalLine('name'), fields.optionalLine('role')];
  const disabled = fields.optionalBoolean('disabled');
  fields.end();
  const user = await findUser(database, idOf(request), scope);
  if (!user) return refuse(response, NOT_FOUND);
  if (role !== undefined) requireRole(user.rights, role);
  const settings = { name: name === '' ? undefined : name, role, disabled };
  await sendUser(response, await changeUser(database, { user: place(request, scope), settings }, change), database);
}

async function remove({ request, response, scope, change }: Management, { database }: UsersDeps): Promise<void> {
  const outcome = await deleteUser(database, place(request, scope), change);
  if (outcome.kind === 'changed') response.status(204).end();
  else refuse(response, NOT_FOUND);
}

async function inviteAgain(management: Management, deps: UsersDeps): Promise<void> {
  const user = await findUser(deps.database, idOf(management.request), management.scope);
  if (user) await sendInvited(user.id, management, deps);
  else refuse(management.response, NOT_FOUND);
}

async function reset(management: Management, deps: UsersDeps): Promise<void> {
  const { request, response, scope, change } = management;
  const outcome = await resetUser(deps.database, place(request, scope), change);
  if (outcome.kind === 'changed') await sendInvited(outcome.row.subject, management, deps);
  else refuse(response, NOT_FOUND);
}

async function sendInvited(userId: string, { request, response }: Management, deps: UsersDeps): Promise<void> {
  const link = await inviteUser(deps.database, userId);
  if (!link) return refuse(response, DISABLED);
  const user = await findUser(deps.database, userId);
  const invitation = describeLink(link, deps.consoleUrl(request));
  response.status(201).json({ data: user && describeUser(user), invitation });
}

/** The token stands behind `#`, which browsers send to nobody. */
function describeLink({ token, expiresAt }: IssuedLink, consoleUrl: string): object {
  return { token, url: `${consoleUrl}/invitation#${token}`, expires_at: expiresAt.getTime() / 1000 };
}

async function sendUser(response: Response, outcome: ChangeOutcome, database: Database): Promise<void> {
  const user = outcome.kind === 'changed' ? await findUser(database, outcome.row.subject) : undefined;
  if (user) response.json({ data: describeUser(user) });
  else refuse(response, NOT_FOUND);
}

/** An owner's users are of the own account, whether that is said or not. */
function readRights(fields: Fields, { accountId: own }: { accountId: string | undefined }): UserRights {
  const kind = fields.optionalLine('kind') ?? (own === undefined ? 'operator' : 'account');
  const accountId = fields.optionalLine('account_id') ?? own;
  const rights = userRights(kind, fields.line('role'), accountId);
  if (!rights) throw new FieldFault('kind, role and account_id do not go together.');
  if (own !== undefined && accountId !== own) throw new FieldFault('account_id is not the own account.');
  return rights;
}

function requireRole(rights: UserRights, role: string): void {
  const accountId = rights.kind === 'account' ? rights.accountId : undefined;
  if (!userRights(rights.kind, role, accountId)) throw new FieldFault('role is none of this kind of user.');
}

function readEmail(fields: Fields): string {
  const email = fields.line('email');
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return email;
  throw new FieldFault('email is no e-mail address.');
}

function place(request: Request, { accountId }: { accountId: string | undefined }): UserPlace {
  return { id: idOf(request), accountId };
}

function idOf(request: Request): string {
  return String(request.params['id']);
}
