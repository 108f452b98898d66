import { unixSeconds } from '@mediagate/contracts';
import {
  changeOwnPassword,
  confirmTotp,
  describeUser,
  enrolTotp,
  findUser,
  listSessions,
  removeTotp,
} from '@mediagate/identity';
import { type Request, type Response, Router } from 'express';
import type { Console } from '../console';
import { EXACT } from '../http/exact-path';
import { Fields } from '../http/fields';
import { readJson } from '../http/read-json';
import { type Refusal, refuse, refuseTooMany, SIGNED_OUT } from '../http/refuse';
import { sessionOf } from '../session/require-session';
import type { Attempt } from '../session/sign-in-limit';
import { changeBy } from './actor';
import { passwordRefusal } from './password-refusal';

/** `/users/me`: what everybody changes of themself. */
export function createOwnRoutes(context: Console): Router {
  const router = Router(EXACT);
  router.get('/', (_request, response) => showOwn(response, context));
  router.get('/sessions', (_request, response) => showSessions(response, context));
  router.patch('/', readJson, (request, response) => rename(request, response, context));
  router.post('/password', readJson, (request, response) => changePassword(request, response, context));
  router.post('/totp', (_request, response) => beginTotp(response, context));
  router.post('/totp/confirm', readJson, (request, response) => finishTotp(request, response, context));
  router.post('/totp/remove', readJson, (request, response) => endTotp(request, response, context));
  return router;
}

const WRONG_PASSWORD: Refusal = { status: 403, reason: 'bad_credentials', message: 'The password is wrong.' };
const WRONG_CODE: Refusal = {
  status: 403,
  reason: 'totp_wrong',
  message: 'The code is wrong. Check the clock of the device that shows it.',
};
const HAS_TOTP: Refusal = {
  status: 409,
  reason: 'totp_enabled',
  message: 'A second factor is already set up: remove it first.',
};

async function showOwn(response: Response, { database }: Console): Promise<void> {
  const user = await findUser(database, sessionOf(response).userId);
  if (!user) return refuse(response, SIGNED_OUT);
  response.json({ data: { ...describeUser(user), password: user.hasPassword, issuer: user.issuer } });
}

async function showSessions(response: Response, { database }: Console): Promise<void> {
  const { userId, token } = sessionOf(response);
  const sessions = await listSessions(database, userId, token);
  response.json({
    data: sessions.map(({ createdAt, seenAt, isCurrent }) => ({
      created: unixSeconds(createdAt),
      last_used_at: unixSeconds(seenAt),
      current: isCurrent,
    })),
  });
}

async function rename(request: Request, response: Response, context: Console): Promise<void> {
  const fields = new Fields(request.body);
  const name = fields.line('name');
  fields.end();
  const session = sessionOf(response);
  await context.database.changeUser({ id: session.userId }, { name }, changeBy(session));
  await showOwn(response, context);
}

async function changePassword(request: Request, response: Response, context: Console): Promise<void> {
  const fields = new Fields(request.body);
  const [current, password] = [fields.secret('current_password'), fields.secret('password')];
  fields.end();
  const session = sessionOf(response);
  const attempt = await takeAttempt(request, response, context);
  if (!attempt) return;
  const own = { userId: session.userId, current, password, sessionToken: session.token };
  const outcome = await changeOwnPassword(context.database, own, changeBy(session));
  if (outcome !== 'bad_credentials') attempt.succeeded();
  if (outcome === 'changed') response.status(204).end();
  else refuse(response, outcome === 'bad_credentials' ? WRONG_PASSWORD : passwordRefusal(outcome));
}

async function beginTotp(response: Response, context: Console): Promise<void> {
  const enrolment = await enrolTotp(context, sessionOf(response));
  if (enrolment) response.json({ data: enrolment });
  else refuse(response, HAS_TOTP);
}

async function finishTotp(request: Request, response: Response, context: Console): Promise<void> {
  const fields = new Fields(request.body);
  const code = fields.line('code');
  fields.end();
  const session = sessionOf(response);
  const confirmation = { userId: session.userId, code, request: changeBy(session) };
  const codes = await confirmTotp(context, confirmation);
  if (codes) response.json({ data: { recovery_codes: codes } });
  else refuse(response, WRONG_CODE);
}

async function endTotp(request: Request, response: Response, context: Console): Promise<void> {
  const fields = new Fields(request.body);
  const password = fields.secret('password');
  fields.end();
  const session = sessionOf(response);
  const attempt = await takeAttempt(request, response, context);
  if (!attempt) return;
  const outcome = await removeTotp(context.database, { userId: session.userId, password }, changeBy(session));
  if (outcome !== 'removed') return refuse(response, WRONG_PASSWORD);
  attempt.succeeded();
  response.status(204).end();
}

/** Takes from a pace of the user's own, which no stranger can use up. Undefined: the answer was given. */
async function takeAttempt(request: Request, response: Response, { limit }: Console): Promise<Attempt | undefined> {
  const { email: user, userId } = sessionOf(response);
  const taken = await limit.take({ address: request.ip ?? '', user, device: { id: 'signed in', userId } });
  if ('succeeded' in taken) return taken;
  refuseTooMany(response, taken.retryAfterSeconds);
  return undefined;
}
