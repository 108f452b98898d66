import {
  closeOtherSessions,
  closeSession,
  findSession,
  type GivenProofs,
  isKnownUser,
  normalEmail,
  type SignInFault,
  type SignInOutcome,
  signIn,
  signInByLink,
} from '@mediagate/identity';
import { type Request, type Response, Router } from 'express';
import type { Console } from '../console';
import { EXACT } from '../http/exact-path';
import { Fields } from '../http/fields';
import { readJson } from '../http/read-json';
import { refuse, refuseTooMany, SIGNED_OUT } from '../http/refuse';
import { hasCsrf } from './csrf';
import { describeSession } from './describe-session';
import type { KnownDevice } from './known-devices';
import { FORGED, type OpenedSession, openedSession } from './require-session';
import type { Attempt, Origin } from './sign-in-limit';

const MESSAGES: Record<SignInFault, string> = {
  bad_credentials: 'E-mail address or password is wrong.',
  totp_required: 'The code of the second factor is missing.',
  totp_wrong: 'The code is wrong, or was used before.',
};

/** `/session`: with the page's files, invitations and sign-in elsewhere, all that is reachable without being signed in. */
export function createSessionRoutes(context: Console): Router {
  const router = Router(EXACT);
  router.get('/session', async (request, response) => {
    const session = await openedSession(request, context);
    if (session) sendSession(response, session, context);
    else refuse(response, SIGNED_OUT);
  });
  router.get('/session/methods', (_request, response) => {
    response.json({ data: { password: true, oidc: context.oidc ? '/session/oidc' : null } });
  });
  router.post('/session', readJson, (request, response) => signInByPassword(request, response, context));
  router.post('/session/one-time', readJson, (request, response) => signInOnce(request, response, context));
  router.delete('/session', (request, response) => signOut(request, response, context));
  router.delete('/session/others', (request, response) => signOutElsewhere(request, response, context));
  return router;
}

async function signInByPassword(request: Request, response: Response, context: Console): Promise<void> {
  const fields = new Fields(request.body);
  const [email, password] = [normalEmail(fields.line('email')), fields.secret('password')];
  const [totp, account] = [fields.optionalLine('totp'), fields.optionalLine('account')];
  fields.end();
  const proven = context.oidc?.provenCookie.read(request);
  const given = { email, account, password, totp, formerToken: context.cookie.read(request), proven };
  const device = knownDevice(request, context);
  const isKnown = device !== undefined && (await isKnownUser(context.database, device.user, given));
  const known = isKnown ? { id: device.id, userId: device.user.id } : undefined;
  const origin: Origin = { address: request.ip ?? '', user: email, device: known };
  const outcome = await prove(given, origin, response, context);
  if (!outcome) return;
  if ('fault' in outcome) {
    context.logger.warn('console.sign_in', { detail: origin.address, outcome: 'refused', reason: outcome.fault });
    return refuse(response, { status: 401, reason: outcome.fault, message: MESSAGES[outcome.fault] });
  }
  if (proven) context.oidc?.provenCookie.clear(response);
  context.deviceCookie.write(response, context.devices.issue(outcome.user, device));
  await welcome(response, outcome.token, origin, context);
}

/**
 * Compares the password of a known browser's user first; where it is wrong, another user of the address may be meant, at a
 * stranger's pace. Undefined: the answer was given.
 */
async function prove(
  given: GivenProofs,
  origin: Origin,
  response: Response,
  context: Console,
): Promise<SignInOutcome | undefined> {
  const attempt = await takeAttempt(origin, response, context);
  if (!attempt) return undefined;
  const { knownUserId } = attempt;
  const outcome = await signIn(context, { ...given, userId: knownUserId });
  // Whoever is asked for the second factor knows the password.
  if (!('fault' in outcome) || outcome.fault === 'totp_required') attempt.succeeded();
  const mayBeAnother = knownUserId !== undefined && given.account === undefined;
  if (mayBeAnother && 'fault' in outcome && outcome.fault === 'bad_credentials')
    return prove(given, { ...origin, device: undefined }, response, context);
  return outcome;
}

async function signInOnce(request: Request, response: Response, context: Console): Promise<void> {
  const fields = new Fields(request.body);
  const linkToken = fields.secret('token');
  fields.end();
  const origin: Origin = { address: request.ip ?? '', user: undefined, device: undefined };
  const attempt = await takeAttempt(origin, response, context);
  if (!attempt) return;
  const opened = await signInByLink(context, { linkToken, formerToken: context.cookie.read(request) });
  if (opened) {
    attempt.succeeded();
    return welcome(response, opened.token, origin, context);
  }
  context.logger.warn('console.sign_in', { detail: origin.address, outcome: 'refused', reason: 'bad_link' });
  refuse(response, { status: 401, reason: 'bad_credentials', message: 'The link was already used, or has expired.' });
}

/** Undefined: the answer was given. */
async function takeAttempt(
  origin: Origin,
  response: Response,
  { limit, logger }: Console,
): Promise<Attempt | undefined> {
  const taken = await limit.take(origin);
  if ('succeeded' in taken) return taken;
  logger.warn('console.sign_in', { detail: origin.address, outcome: 'limited' });
  refuseTooMany(response, taken.retryAfterSeconds);
  return undefined;
}

function knownDevice(request: Request, { deviceCookie, devices }: Console): KnownDevice | undefined {
  const proof = deviceCookie.read(request);
  return proof === undefined ? undefined : devices.verify(proof);
}

async function welcome(response: Response, token: string, origin: Origin, context: Console): Promise<void> {
  const session = await findSession(context, token);
  if (!session) return refuse(response, SIGNED_OUT);
  context.logger.info('console.sign_in', { detail: origin.address, outcome: 'accepted' });
  context.cookie.write(response, token);
  sendSession(response, { ...session, token }, context);
}

function sendSession(response: Response, session: OpenedSession, { gatewayUrl }: Console): void {
  response.json({ data: describeSession(session, gatewayUrl) });
}

/** Needs no token against forged requests when there is no session either: the cookie is cleared all the same. */
async function signOut(request: Request, response: Response, context: Console): Promise<void> {
  const token = context.cookie.read(request);
  if (token !== undefined) {
    if ((await findSession(context, token)) && !hasCsrf(request, token)) return refuse(response, FORGED);
    await closeSession(context.database, token);
  }
  context.cookie.clear(response);
  response.status(204).end();
}

async function signOutElsewhere(request: Request, response: Response, context: Console): Promise<void> {
  const session = await openedSession(request, context);
  if (!session) return refuse(response, SIGNED_OUT);
  if (!hasCsrf(request, session.token)) return refuse(response, FORGED);
  response.json({ data: { ended: await closeOtherSessions(context.database, session.userId, session.token) } });
}
