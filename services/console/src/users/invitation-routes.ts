import type { Database } from '@mediagate/database';
import { acceptInvitation, findInvitation } from '@mediagate/users';
import { type Request, type Response, Router } from 'express';
import { Fields } from '../http/fields';
import { readJson } from '../http/read-json';
import { type Refusal, refuse } from '../http/refuse';
import { passwordRefusal } from './password-refusal';

/** `/invitations/{token}`: whoever has the token sets name and password, once. */
export function createInvitationRoutes(database: Database): Router {
  const router = Router();
  router.get('/:token', (request, response) => show(request, response, database));
  router.post('/:token', readJson, (request, response) => accept(request, response, database));
  return router;
}

const GONE: Refusal = { status: 404, reason: 'invitation_gone', message: 'The invitation was used, or is too old.' };

async function show(request: Request, response: Response, database: Database): Promise<void> {
  const found = await findInvitation(database, tokenOf(request));
  if (!found) return refuse(response, GONE);
  const { email, name, kind, role, accountName } = found;
  response.json({ data: { email, name, kind, role, account_name: accountName } });
}

async function accept(request: Request, response: Response, database: Database): Promise<void> {
  const fields = new Fields(request.body);
  const [name, password] = [fields.line('name'), fields.secret('password')];
  fields.end();
  const outcome = await acceptInvitation(database, { token: tokenOf(request), name, password });
  if (outcome === 'joined') response.status(204).end();
  else refuse(response, outcome === 'gone' ? GONE : passwordRefusal(outcome));
}

function tokenOf(request: Request): string {
  return String(request.params['token']);
}
