import { unixSeconds } from '@mediagate/contracts';
import type { Database } from '@mediagate/database';
import {
  changeOwnPassword,
  changeUser,
  confirmTotp,
  describeUser,
  enrolTotp,
  findUser,
  listSessions,
  removeTotp,
  type Sealer,
} from '@mediagate/identity';
import { type Request, type Response, Router } from 'express';
import { EXACT } from '../http/exact-path';
import { Fields } from '../http/fields';
import { readJson } from '../http/read-json';
import { type Refusal, refuse, refuseTooMany, SIGNED_OUT } from '../http/refuse';
import { sessionOf } from '../session/require-session';
import type { Attempt, SignInLimit } from '../session/sign-in-limit';
import { changeBy } from './actor';
import { passwordRefusal } from './password-refusal';

export interface OwnDeps {
  database: Database;
  sealer: Sealer;
  /** Slows guesses at the user's own password, which a browser left open would allow. */
  limit: SignInLimit;
}

/** `/users/me`: what everybody changes of themself. */
export function createOwnRoutes(deps: OwnDeps): Router {
  const router = Router(EXACT);
  router.get('/', (_request, response) => showOwn(response, deps));
  router.get('/sessions', (_request, response) => showSessions(response, deps));
  router.patch('/', readJson, (request, response) => rename(request, response, deps));
  router.post('/password', readJson, (request, response) => changePassword(request, response, deps));
  router.post('/totp', (_request, response) => beginTotp(response, deps));
  router.post('/totp/confirm', readJson, (request, response) => finishTotp(request, response, deps));
  router.post('/totp/remove', readJson, (request, response) => endTotp(request, response, deps));
  return router;
}

const WRONG_PASSWORD: Refusal = { status: 403, reason: 'bad_credentials', message: 'The password is wrong.' };
const WRONG_CODE: Refusal = { status: 403, reason: 'totp_wrong', message: 'The code is wrong: compare the clocks.' };
const HAS_TOTP: Refusal = {
  status: 409,
  reason: 'totp_enabled',
  message: 'There is a second factor: remove it first.',
};

async function showOwn(response: Response, { database }: OwnDeps): Promise<void> {
  const user = await findUser(database, sessionOf(response).userId);
  if (!user) return refuse(response, SIGNED_OUT);
  response.json({ data: { ...describeUser(user), password: user.hasPassword, issuer: user.issuer } });
}

async function showSessions(response: Response, { database }: OwnDeps): Promise<void> {
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

async function rename(request: Request, response: Response, deps: OwnDeps): Promise<void> {
  const fields = new Fields(request.body);
  const name = fields.line('name');
  fields.end();
  const session = sessionOf(response);
  await changeUser(deps.database, { user: { id: session.userId }, settings: { name } }, changeBy(session));
  await showOwn(response, deps);
}

async function changePassword(request: Request, response: Response, deps: OwnDeps): Promise<void> {
  const fields = new Fields(request.body);
  const [current, password] = [fields.secret('current_password'), fields.secret('password')];
  fields.end();
  const session = sessionOf(response);
  const attempt = await takeAttempt(request, response, deps);
  if (!attempt) return;
  const own = { userId: session.userId, current, password, sessionToken: session.token };
  const outcome = await changeOwnPassword(deps.database, own, changeBy(session));
  if (outcome !== 'bad_credentials') attempt.succeeded();
  if (outcome === 'changed') response.status(204).end();
  else refuse(response, outcome === 'bad_credentials' ? WRONG_PASSWORD : passwordRefusal(outcome));
}

async function beginTotp(response: Response, { database, sealer }: OwnDeps): Promise<void> {
  const enrolment = await enrolTotp(database, sealer, sessionOf(response));
  if (enrolment) response.json({ data: enrolment });
  else refuse(response, HAS_TOTP);
}

async function finishTotp(request: Request, response: Response, { database, sealer }: OwnDeps): Promise<void> {
  const fields = new Fields(request.body);
  const code = fields.line('code');
  fields.end();
  const session = sessionOf(response);
  const confirmation = { userId: session.userId, code, request: changeBy(session) };
  const codes = await confirmTotp(database, sealer, confirmation);
  if (codes) response.json({ data: { recovery_codes: codes } });
  else refuse(response, WRONG_CODE);
}

async function endTotp(request: Request, response: Response, deps: OwnDeps): Promise<void> {
  const fields = new Fields(request.body);
  const password = fields.secret('password');
  fields.end();
  const session = sessionOf(response);
  const attempt = await takeAttempt(request, response, deps);
  if (!attempt) return;
  const outcome = await removeTotp(deps.database, { userId: session.userId, password }, changeBy(session));
  if (outcome !== 'removed') return refuse(response, WRONG_PASSWORD);
  attempt.succeeded();
  response.status(204).end();
}

/** Takes from a pace of the user's own, which no stranger can use up. Undefined: the answer was given. */
async function takeAttempt(request: Request, response: Response, { limit }: OwnDeps): Promise<Attempt | undefined> {
  const { email: user, userId } = sessionOf(response);
  const taken = await limit.take({ address: request.ip ?? '', user, device: { id: 'signed in', userId } });
  if ('succeeded' in taken) return taken;
  refuseTooMany(response, taken.retryAfterSeconds);
  return undefined;
}
