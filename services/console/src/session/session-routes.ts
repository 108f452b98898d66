import type { Logger } from '@mediagate/host';
import {
  type GivenProofs,
  type KnownUser,
  normalEmail,
  type SignInFault,
  type SignInOutcome,
} from '@mediagate/identity';
import { type Request, type Response, Router } from 'express';
import { EXACT } from '../http/exact-path';
import { Fields } from '../http/fields';
import { readJson } from '../http/read-json';
import { refuse, refuseTooMany, SIGNED_OUT } from '../http/refuse';
import type { ProvenCookie } from '../oidc/proven-cookie';
import type { Cookie } from './cookie';
import { hasCsrf } from './csrf';
import { describeSession } from './describe-session';
import type { KnownDevice, KnownDevices } from './known-devices';
import { FORGED, type OpenedSession, openedSession, type SessionDeps } from './require-session';
import type { Attempt, Origin, SignInLimit } from './sign-in-limit';

export interface SignInRouteDeps extends SessionDeps {
  signIn(given: GivenProofs): Promise<SignInOutcome>;
  /** Whether that user has the address there, and no session of theirs was ended since. */
  isKnownUser(user: KnownUser, place: { email: string; account: string | undefined }): Promise<boolean>;
  signInByLink(given: { linkToken: string; formerToken: string | undefined }): Promise<{ token: string } | undefined>;
  closeSession(token: string): Promise<void>;
  closeOtherSessions(userId: string, token: string): Promise<number>;
  limit: SignInLimit;
  devices: KnownDevices;
  /** The cookie of browsers in which somebody has signed in before. */
  deviceCookie: Cookie;
  /** Where a sign-in elsewhere begins; absent: there is none. */
  oidc?: { provenCookie: ProvenCookie } | undefined;
  /** Where callers reach the gateway. */
  gatewayUrl: string;
  logger: Logger;
}

const MESSAGES: Record<SignInFault, string> = {
  bad_credentials: 'E-mail address or password is wrong.',
  totp_required: 'The code of the second factor is missing.',
  totp_wrong: 'The code is wrong, or was used before.',
};

/** `/session`: with the page's files, invitations and sign-in elsewhere, all that is reachable without being signed in. */
export function createSessionRoutes(deps: SignInRouteDeps): Router {
  const router = Router(EXACT);
  router.get('/session', async (request, response) => {
    const session = await openedSession(request, deps);
    if (session) sendSession(response, session, deps);
    else refuse(response, SIGNED_OUT);
  });
  router.get('/session/methods', (_request, response) => {
    response.json({ data: { password: true, oidc: deps.oidc ? '/session/oidc' : null } });
  });
  router.post('/session', readJson, (request, response) => signInByPassword(request, response, deps));
  router.post('/session/one-time', readJson, (request, response) => signInOnce(request, response, deps));
  router.delete('/session', (request, response) => signOut(request, response, deps));
  router.delete('/session/others', (request, response) => signOutElsewhere(request, response, deps));
  return router;
}

async function signInByPassword(request: Request, response: Response, deps: SignInRouteDeps): Promise<void> {
  const fields = new Fields(request.body);
  const [email, password] = [normalEmail(fields.line('email')), fields.secret('password')];
  const [totp, account] = [fields.optionalLine('totp'), fields.optionalLine('account')];
  fields.end();
  const proven = deps.oidc?.provenCookie.read(request);
  const given = { email, account, password, totp, formerToken: deps.cookie.read(request), proven };
  const device = knownDevice(request, deps);
  const isKnown = device !== undefined && (await deps.isKnownUser(device.user, given));
  const known = isKnown ? { id: device.id, userId: device.user.id } : undefined;
  const origin: Origin = { address: request.ip ?? '', user: email, device: known };
  const outcome = await prove(given, origin, response, deps);
  if (!outcome) return;
  if ('fault' in outcome) {
    deps.logger.warn('console.sign_in', { detail: origin.address, outcome: 'refused', reason: outcome.fault });
    return refuse(response, { status: 401, reason: outcome.fault, message: MESSAGES[outcome.fault] });
  }
  if (proven) deps.oidc?.provenCookie.clear(response);
  deps.deviceCookie.write(response, deps.devices.issue(outcome.user, device));
  await welcome(response, outcome.token, origin, deps);
}

/**
 * Compares the password of a known browser's user first; where it is wrong, another user of the address may be meant, at a
 * stranger's pace. Undefined: the answer was given.
 */
async function prove(
  given: GivenProofs,
  origin: Origin,
  response: Response,
  deps: SignInRouteDeps,
): Promise<SignInOutcome | undefined> {
  const attempt = await takeAttempt(origin, response, deps);
  if (!attempt) return undefined;
  const { knownUserId } = attempt;
  const outcome = await deps.signIn({ ...given, userId: knownUserId });
  // Whoever is asked for the second factor knows the password.
  if (!('fault' in outcome) || outcome.fault === 'totp_required') attempt.succeeded();
  const mayBeAnother = knownUserId !== undefined && given.account === undefined;
  if (mayBeAnother && 'fault' in outcome && outcome.fault === 'bad_credentials')
    return prove(given, { ...origin, device: undefined }, response, deps);
  return outcome;
}

async function signInOnce(request: Request, response: Response, deps: SignInRouteDeps): Promise<void> {
  const fields = new Fields(request.body);
  const linkToken = fields.secret('token');
  fields.end();
  const origin: Origin = { address: request.ip ?? '', user: undefined, device: undefined };
  const attempt = await takeAttempt(origin, response, deps);
  if (!attempt) return;
  const opened = await deps.signInByLink({ linkToken, formerToken: deps.cookie.read(request) });
  if (opened) {
    attempt.succeeded();
    return welcome(response, opened.token, origin, deps);
  }
  deps.logger.warn('console.sign_in', { detail: origin.address, outcome: 'refused', reason: 'bad_link' });
  refuse(response, { status: 401, reason: 'bad_credentials', message: 'The link was used before, or is too old.' });
}

/** Undefined: the answer was given. */
async function takeAttempt(
  origin: Origin,
  response: Response,
  { limit, logger }: SignInRouteDeps,
): Promise<Attempt | undefined> {
  const taken = await limit.take(origin);
  if ('succeeded' in taken) return taken;
  logger.warn('console.sign_in', { detail: origin.address, outcome: 'limited' });
  refuseTooMany(response, taken.retryAfterSeconds);
  return undefined;
}

function knownDevice(request: Request, { deviceCookie, devices }: SignInRouteDeps): KnownDevice | undefined {
  const proof = deviceCookie.read(request);
  return proof === undefined ? undefined : devices.verify(proof);
}

async function welcome(response: Response, token: string, origin: Origin, deps: SignInRouteDeps): Promise<void> {
  const session = await deps.findSession(token);
  if (!session) return refuse(response, SIGNED_OUT);
  deps.logger.info('console.sign_in', { detail: origin.address, outcome: 'accepted' });
  deps.cookie.write(response, token);
  sendSession(response, { ...session, token }, deps);
}

function sendSession(response: Response, session: OpenedSession, { gatewayUrl }: SignInRouteDeps): void {
  response.json({ data: describeSession(session, gatewayUrl) });
}

/** Needs no token against forged requests when there is no session either: the cookie is cleared all the same. */
async function signOut(request: Request, response: Response, deps: SignInRouteDeps): Promise<void> {
  const token = deps.cookie.read(request);
  if (token !== undefined) {
    if ((await deps.findSession(token)) && !hasCsrf(request, token)) return refuse(response, FORGED);
    await deps.closeSession(token);
  }
  deps.cookie.clear(response);
  response.status(204).end();
}

async function signOutElsewhere(request: Request, response: Response, deps: SignInRouteDeps): Promise<void> {
  const session = await openedSession(request, deps);
  if (!session) return refuse(response, SIGNED_OUT);
  if (!hasCsrf(request, session.token)) return refuse(response, FORGED);
  response.json({ data: { ended: await deps.closeOtherSessions(session.userId, session.token) } });
}
