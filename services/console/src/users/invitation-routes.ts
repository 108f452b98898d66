import { acceptInvitation, findInvitation } from '@mediagate/identity';
import { type Request, type Response, Router } from 'express';
import type { Console } from '../console';
import { EXACT } from '../http/exact-path';
import { Fields } from '../http/fields';
import { readJson } from '../http/read-json';
import { type Refusal, refuse, refuseTooMany } from '../http/refuse';
import { passwordRefusal } from './password-refusal';

/** `/invitations/{token}`: whoever has the token sets name and password, once. */
export function createInvitationRoutes(context: Console): Router {
  const router = Router(EXACT);
  router.get('/:token', (request, response) => show(request, response, context));
  router.post('/:token', readJson, (request, response) => accept(request, response, context));
  return router;
}

const GONE: Refusal = {
  status: 404,
  reason: 'invitation_gone',
  message: 'The invitation was already used, or has expired.',
};

async function show(request: Request, response: Response, { database }: Console): Promise<void> {
  const found = await findInvitation(database, tokenOf(request));
  if (!found) return refuse(response, GONE);
  const { email, name, kind, role, accountId, accountName } = found;
  response.json({ data: { email, name, kind, role, account_id: accountId, account_name: accountName } });
}

async function accept(request: Request, response: Response, { database, limit }: Console): Promise<void> {
  const fields = new Fields(request.body);
  const [name, password] = [fields.line('name'), fields.secret('password')];
  fields.end();
  const found = await findInvitation(database, tokenOf(request));
  if (!found) return refuse(response, GONE);
  const attempt = await limit.takeInvited({ address: request.ip ?? '', userId: found.userId });
  if (!('succeeded' in attempt)) return refuseTooMany(response, attempt.retryAfterSeconds);
  const outcome = await acceptInvitation(database, { token: tokenOf(request), name, password });
  if (outcome !== 'gone') attempt.succeeded();
  if (outcome === 'joined') response.status(204).end();
  else refuse(response, outcome === 'gone' ? GONE : passwordRefusal(outcome));
}

function tokenOf(request: Request): string {
  return String(request.params['token']);
}
