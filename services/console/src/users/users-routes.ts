import { isEmailAddress, type UserRights, userRights } from '@mediagate/contracts';
import {
  type ChangeOutcome,
  type ChangeRequest,
  type Database,
  type UserPlace,
  type UserSettings,
  uncounted,
} from '@mediagate/database';
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
} from '@mediagate/identity';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { EXACT } from '../http/exact-path';
import { FieldFault, Fields } from '../http/fields';
import { readJson } from '../http/read-json';
import { NOT_FOUND, type Refusal, ROLE_TOO_LOW, refuse } from '../http/refuse';
import { sessionOf } from '../session/require-session';
import { changeBy } from './actor';

/** A request to manage users, as it was read. */
interface Management {
  database: Database;
  response: Response;
  /** The user who is meant; the list and a new user have none, only the account. */
  user: UserPlace & { accountId: string };
  /** The fields of the body, without the reason of the change. */
  fields: Fields;
  change: ChangeRequest;
}

type Handle = (management: Management) => Promise<void>;

/**
 * `/users`: the users of an account, for its owners, in the words of the gateway's `/admin/v1/users`, where operators manage all users.
 */
export function createUsersRoutes(database: Database): Router {
  const router = Router(EXACT);
  const managed = (handle: Handle) => [readJson, manage(database, handle)];
  router.get('/', managed(list));
  router.post('/', managed(invite));
  router.get('/:id', managed(show));
  router.patch('/:id', managed(update));
  router.delete('/:id', managed(remove));
  router.post(
    '/:id/disable',
    managed(set(({ database, user, change }) => database.changeUser(user, { disabled: true }, uncounted(change)))),
  );
  router.post(
    '/:id/enable',
    managed(set(({ database, user, change }) => database.changeUser(user, { disabled: false }, change))),
  );
  router.post(
    '/:id/end-sessions',
    managed(set(({ database, user, change }) => database.endUserSessions(user, change))),
  );
  router.post(
    '/:id/reset-second-factor',
    managed(set(({ database, user, change }) => database.resetSecondFactor(user, change))),
  );
  router.post('/:id/reset', managed(reset));
  router.post('/:id/invite', managed(inviteAgain));
  return router;
}

const REASON = { maxCharacters: 500 };
const OWN_USER: Refusal = {
  status: 409,
  reason: 'own_user',
  message: 'You cannot manage your own user here: use /users/me, or ask somebody else who manages users.',
};
const TAKEN: Refusal = {
  status: 409,
  reason: 'email_taken',
  message: 'Another user of this account already has this e-mail address.',
};
const TOO_MANY: Refusal = {
  status: 409,
  reason: 'too_many_users',
  message: `The account has ${MAX_USERS_OF_ACCOUNT} users and may have no more. Delete one first.`,
};
const CLOSED: Refusal = { status: 409, reason: 'no_account', message: 'The account is closed.' };
const DISABLED: Refusal = { status: 409, reason: 'user_disabled', message: 'The user is disabled.' };

function manage(database: Database, handle: Handle): RequestHandler {
  return async (request, response) => {
    const session = sessionOf(response);
    const { rights, userId } = session;
    if (rights.kind !== 'account' || rights.role !== 'owner') return refuse(response, ROLE_TOO_LOW);
    const user = { id: String(request.params['id']), accountId: rights.accountId };
    if (user.id === userId && request.method !== 'GET') return refuse(response, OWN_USER);
    const fields = new Fields(bodyOf(request));
    const reason = fields.optionalLine('reason', REASON);
    const change = { ...changeBy(session), ...(reason && { reason }) };
    await handle({ database, response, user, fields, change });
  };
}

/** A request without a body is one without fields. */
function bodyOf({ body }: Request): unknown {
  return body ?? {};
}

/** More than any account has: the list is one page. */
const MAX_LISTED = 1000;

async function list({ database, response, user: { accountId } }: Management): Promise<void> {
  const users = await searchUsers(database, { accountId, limit: MAX_LISTED });
  response.json({ data: users.map(describeUser), next_cursor: null, has_more: false });
}

async function show({ database, response, user }: Management): Promise<void> {
  const found = await findUser(database, user.id, user);
  if (found) response.json({ data: describeUser(found) });
  else refuse(response, NOT_FOUND);
}

async function invite(management: Management): Promise<void> {
  const { database, response, user, fields, change } = management;
  const [email, name] = [readEmail(fields), fields.line('name')];
  const rights = rightsOf(fields.line('role'), user.accountId);
  fields.end();
  const { outcome, link } = await createInvited(database, { email, name, rights }, change);
  if (outcome.kind === 'changed') return sendLink(outcome.row.subject, link, management);
  if (outcome.kind === 'duplicate') return refuse(response, TAKEN);
  refuse(response, (await hasAllUsers(database, user.accountId)) ? TOO_MANY : CLOSED);
}

async function update(management: Management): Promise<void> {
  const { database, user, fields, change } = management;
  const [name, role] = [fields.optionalLine('name'), fields.optionalLine('role')];
  fields.end();
  if (role !== undefined) rightsOf(role, user.accountId);
  const settings: UserSettings = { name: name === '' ? undefined : name, role };
  await sendChanged(management, await database.changeUser(user, settings, change));
}

/** Handles an act on a user as a whole, which takes no fields. */
function set(act: (management: Management) => Promise<ChangeOutcome>): Handle {
  return async (management) => {
    management.fields.end();
    await sendChanged(management, await act(management));
  };
}

async function remove({ database, response, user, fields, change }: Management): Promise<void> {
  fields.end();
  const outcome = await database.deleteUser(user, uncounted(change));
  if (outcome.kind === 'changed') response.json({ data: { id: user.id, deleted: true } });
  else refuse(response, NOT_FOUND);
}

async function inviteAgain(management: Management): Promise<void> {
  const { database, response, user, fields, change } = management;
  fields.end();
  const found = await findUser(database, user.id, user);
  if (!found) return refuse(response, NOT_FOUND);
  const { link } = await inviteUser(database, found.id, change);
  if (link) await sendLink(found.id, link, management);
  else refuse(response, DISABLED);
}

async function reset(management: Management): Promise<void> {
  const { database, response, user, fields, change } = management;
  fields.end();
  const { outcome, link } = await resetUser(database, user, change);
  if (outcome.kind === 'changed') await sendLink(user.id, link, management);
  else refuse(response, NOT_FOUND);
}

/** Sends the user with the link; there is none if the user who was reset is disabled. */
async function sendLink(userId: string, link: Invited['link'], { database, response }: Management): Promise<void> {
  const user = await findUser(database, userId);
  const invitation = link && { invitation: describeInvitation(link) };
  response.status(201).json({ data: { ...(user && describeUser(user)), ...invitation } });
}

async function sendChanged({ database, response, user }: Management, outcome: ChangeOutcome): Promise<void> {
  const changed = outcome.kind === 'changed' ? await findUser(database, user.id, user) : undefined;
  if (changed) response.json({ data: describeUser(changed) });
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
  if (isEmailAddress(email)) return email;
  throw new FieldFault('email is no e-mail address.');
}
