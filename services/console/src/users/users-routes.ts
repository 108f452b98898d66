import { type UserRights, userRights } from '@mediagate/contracts';
import type { ChangeOutcome, ChangeRequest, Database } from '@mediagate/database';
import {
  changeUser,
  createUser,
  deleteUser,
  describeInvitation,
  describeUser,
  endUserSessions,
  findUser,
  inviteUser,
  isEmail,
  resetSecondFactor,
  resetUser,
  searchUsers,
} from '@mediagate/users';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { FieldFault, Fields } from '../http/fields';
import { readJson } from '../http/read-json';
import { NOT_FOUND, type Refusal, ROLE_TOO_LOW, refuse } from '../http/refuse';
import { sessionOf } from '../session/require-session';
import { actorOfSession } from './actor';

/** What a request to manage users has beside its body. */
interface Management {
  request: Request;
  response: Response;
  /** Whose users they are. */
  accountId: string;
  change: ChangeRequest;
}

/** `/users`: of an account, for its owners. Operators manage all users by the gateway's `/admin/v1/users`. */
export function createUsersRoutes(database: Database): Router {
  const router = Router();
  const managed = (handle: (management: Management, database: Database) => Promise<void>): RequestHandler => {
    return async (request, response) => {
      const session = sessionOf(response);
      const { rights } = session;
      if (rights.kind !== 'account' || rights.role !== 'owner') return refuse(response, ROLE_TOO_LOW);
      const isOwn = request.params['id'] === session.userId && request.method !== 'GET';
      if (isOwn) return refuse(response, OWN_USER);
      const change = { actor: actorOfSession(session) };
      await handle({ request, response, accountId: rights.accountId, change }, database);
    };
  };
  router.get('/', managed(list));
  router.post('/', readJson, managed(invite));
  router.get('/:id', managed(show));
  router.patch('/:id', readJson, managed(change));
  router.delete('/:id', managed(remove));
  router.post('/:id/invitation', managed(inviteAgain));
  router.post('/:id/reset', managed(reset));
  router.post('/:id/reset-second-factor', managed(set(resetSecondFactor)));
  router.post('/:id/end-sessions', managed(set(endUserSessions)));
  return router;
}

const OWN_USER: Refusal = {
  status: 409,
  reason: 'own_user',
  message: 'Nobody manages themself: ask another one, or use /users/me.',
};
const TAKEN: Refusal = { status: 409, reason: 'email_taken', message: 'Somebody has this e-mail address.' };
const CLOSED: Refusal = { status: 409, reason: 'no_account', message: 'The account is closed.' };
const DISABLED: Refusal = { status: 409, reason: 'user_disabled', message: 'The user is disabled.' };

/** More than any account has; the list is not a page. */
const MAX_LISTED = 1000;

async function list({ response, accountId }: Management, database: Database): Promise<void> {
  const users = await searchUsers(database, { accountId, limit: MAX_LISTED });
  response.json({ data: users.map(describeUser) });
}

async function show({ request, response, accountId }: Management, database: Database): Promise<void> {
  const user = await findUser(database, idOf(request), { accountId });
  if (user) response.json({ data: describeUser(user) });
  else refuse(response, NOT_FOUND);
}

async function invite(management: Management, database: Database): Promise<void> {
  const { request, response, accountId, change } = management;
  const fields = new Fields(request.body);
  const [email, name] = [readEmail(fields), fields.line('name')];
  const rights = rightsOf(fields.line('role'), accountId);
  fields.end();
  const outcome = await createUser(database, { email, name, rights }, change);
  if (outcome.kind === 'changed') return sendInvited(outcome.row.subject, management, database);
  refuse(response, outcome.kind === 'duplicate' ? TAKEN : CLOSED);
}

async function change({ request, response, accountId, change }: Management, database: Database): Promise<void> {
  const fields = new Fields(request.body);
  const [name, role] = [fields.optionalLine('name'), fields.optionalLine('role')];
  const disabled = fields.optionalBoolean('disabled');
  fields.end();
  if (role !== undefined) rightsOf(role, accountId);
  const settings = { name: name === '' ? undefined : name, role, disabled };
  const outcome = await changeUser(database, { user: { id: idOf(request), accountId }, settings }, change);
  await sendUser(response, outcome, database);
}

/** What is done to a user as a whole. */
function set(act: typeof endUserSessions) {
  return async ({ request, response, accountId, change }: Management, database: Database): Promise<void> => {
    await sendUser(response, await act(database, { id: idOf(request), accountId }, change), database);
  };
}

async function remove({ request, response, accountId, change }: Management, database: Database): Promise<void> {
  const outcome = await deleteUser(database, { id: idOf(request), accountId }, change);
  if (outcome.kind === 'changed') response.status(204).end();
  else refuse(response, NOT_FOUND);
}

async function inviteAgain(management: Management, database: Database): Promise<void> {
  const { request, accountId } = management;
  const user = await findUser(database, idOf(request), { accountId });
  if (user) await sendInvited(user.id, management, database);
  else refuse(management.response, NOT_FOUND);
}

async function reset(management: Management, database: Database): Promise<void> {
  const { request, response, accountId, change } = management;
  const outcome = await resetUser(database, { id: idOf(request), accountId }, change);
  if (outcome.kind === 'changed') await sendInvited(outcome.row.subject, management, database);
  else refuse(response, NOT_FOUND);
}

async function sendInvited(userId: string, management: Management, database: Database): Promise<void> {
  const { response, change } = management;
  const { link } = await inviteUser(database, userId, change);
  if (!link) return refuse(response, DISABLED);
  const user = await findUser(database, userId);
  response.status(201).json({ data: user && describeUser(user), invitation: describeInvitation(link) });
}

async function sendUser(response: Response, outcome: ChangeOutcome, database: Database): Promise<void> {
  const user = outcome.kind === 'changed' ? await findUser(database, outcome.row.subject) : undefined;
  if (user) response.json({ data: describeUser(user) });
  else refuse(response, NOT_FOUND);
}

/** @throws FieldFault */
function rightsOf(role: string, accountId: string): UserRights {
  const rights = userRights('account', role, accountId);
  if (!rights) throw new FieldFault('role is none of an account.');
  return rights;
}

function readEmail(fields: Fields): string {
  const email = fields.line('email');
  if (isEmail(email)) return email;
  throw new FieldFault('email is no e-mail address.');
}

function idOf(request: Request): string {
  return String(request.params['id']);
}
