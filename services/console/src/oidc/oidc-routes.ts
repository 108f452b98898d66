import { unixSeconds } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import type {
  Identified,
  InvitedChoice,
  ProvenAddress,
  ProvenIdentity,
  Sealer,
  SignInPlace,
} from '@mediagate/identity';
import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import { EXACT } from '../http/exact-path';
import { Fields } from '../http/fields';
import { readJson } from '../http/read-json';
import { type Refusal, refuse } from '../http/refuse';
import type { Cookie } from '../session/cookie';
import { openedSession, type SessionDeps } from '../session/require-session';
import type { Missing } from './missing';
import type { ProvenCookie } from './proven-cookie';
import { type Provider, type SignedIn, type SignInAttempt, SignInRefused } from './provider';

export interface OidcDeps extends SessionDeps {
  provider: Provider;
  sealer: Sealer;
  /** Has what the attempt needs, for as long as the user is at the provider. */
  attemptCookie: Cookie;
  provenCookie: ProvenCookie;
  /** Where the user may sign in or join: this account alone, or, without one, all of them. */
  listPlaces(proven: ProvenAddress, account: string | undefined): Promise<SignInPlace[]>;
  signInIdentified(
    proven: ProvenIdentity,
    given: InvitedChoice & { formerToken: string | undefined },
  ): Promise<{ token: string } | Exclude<Identified, { userId: string }>>;
  consoleUrl(request: Request): string;
  logger: Logger;
}

export const OIDC_PATH = '/session/oidc';
const CALLBACK_PATH = `${OIDC_PATH}/callback`;
/** An attempt, and for which account. */
type Begun = SignInAttempt & InvitedChoice;

/** The place that an attempt is sealed for: a cookie of another place opens nothing. */
const PLACE = 'console/oidc';

const NOT_REACHED: Refusal = {
  status: 502,
  reason: 'provider_unreachable',
  message: 'The sign-in elsewhere is not to be reached. Try again soon.',
};
/** Why the page is opened without a session: the provider's answer did not suffice, or could not be looked at. */
type ElsewhereFault =
  | Exclude<Identified, { userId: string }>['fault']
  | Missing
  | 'not_proven'
  | 'refused'
  | 'unavailable';

/** `/session/oidc`: to the provider, begun by the page, and back with its answer, which the browser itself opens. */
export function createOidcRoutes(deps: OidcDeps): Router {
  const router = Router(EXACT);
  router.post(OIDC_PATH, readJson, (request, response) => begin(request, response, deps));
  router.get(CALLBACK_PATH, (request, response) => finish(request, response, deps));
  router.use(CALLBACK_PATH, leadBackFrom(deps.logger));
  router.get(`${OIDC_PATH}/accounts`, async (request, response) => {
    const proven = deps.provenCookie.read(request);
    const { account } = request.query;
    const places = proven && (await deps.listPlaces(proven, typeof account === 'string' ? account : undefined));
    response.json({ data: (places ?? []).map(describePlace) });
  });
  return router;
}

function describePlace({ account, name, hasJoined, invitedAt, invitedBy }: SignInPlace): object {
  return { account, name, joined: hasJoined, invited_at: unixSeconds(invitedAt), invited_by: invitedBy };
}

/** No other site's page can send this, so that none has its visitor signed in; whoever is signed in already stays it. */
async function begin(request: Request, response: Response, deps: OidcDeps): Promise<void> {
  const { provider, sealer, attemptCookie, consoleUrl, logger } = deps;
  const fields = new Fields(request.body);
  const choice = { account: fields.optionalLine('account'), joins: fields.optionalBoolean('joins') ?? false };
  fields.end();
  if (await openedSession(request, deps)) return void response.json({ data: { url: '/' } });
  try {
    const { url, attempt } = await provider.begin(`${consoleUrl(request)}${CALLBACK_PATH}`);
    const begun: Begun = { ...attempt, ...choice };
    attemptCookie.write(response, sealer.seal(JSON.stringify(begun), PLACE).toString('base64url'));
    response.json({ data: { url } });
  } catch (error) {
    logger.error('console.provider_unreachable', { error });
    refuse(response, NOT_REACHED);
  }
}

async function finish(request: Request, response: Response, deps: OidcDeps): Promise<void> {
  const proven = await provenBy(request, deps);
  deps.attemptCookie.clear(response);
  if ('fault' in proven) return leadBack(response, proven.fault);
  const { account, joins, who, lack } = proven;
  const outcome = await deps.signInIdentified(who, { account, joins, formerToken: deps.cookie.read(request) });
  const missing = 'fault' in outcome && outcome.fault === 'not_invited' ? lack : undefined;
  const fault = 'fault' in outcome ? (missing?.missing ?? outcome.fault) : undefined;
  const reason = missing === undefined ? {} : { reason: missing.reason };
  deps.logger.info('console.sign_in', { detail: request.ip ?? '', outcome: fault ?? 'accepted', ...reason });
  if ('token' in outcome) {
    deps.provenCookie.clear(response);
    deps.cookie.write(response, outcome.token);
    return response.redirect(303, '/');
  }
  const { identity, email } = who;
  if (outcome.fault !== 'not_invited') deps.provenCookie.write(response, { identity, email });
  leadBack(response, fault ?? outcome.fault, account);
}

/** A browser opens the callback by itself, so the page says what went wrong there, too. */
function leadBackFrom(logger: Logger): ErrorRequestHandler {
  return (error: unknown, { method }, response, _next) => {
    logger.error('console.request_failed', { method, error });
    leadBack(response, 'unavailable');
  };
}

/** Leads to the page, which says in its user's language why nobody is signed in. */
function leadBack(response: Response, elsewhere: ElsewhereFault, account?: string): void {
  response.redirect(303, `/?${new URLSearchParams({ elsewhere, ...(account !== undefined && { account }) })}`);
}

/** `not_proven`: this browser began no attempt, or the answer is not the provider's to it. */
async function provenBy(
  request: Request,
  deps: OidcDeps,
): Promise<(SignedIn & InvitedChoice) | { fault: 'not_proven' | 'refused' }> {
  const { provider, sealer, attemptCookie, consoleUrl, logger } = deps;
  const sealed = attemptCookie.read(request);
  const text = sealed === undefined ? undefined : sealer.open(Buffer.from(sealed, 'base64url'), PLACE);
  if (text === undefined) return { fault: 'not_proven' };
  try {
    const answered = new URL(`${consoleUrl(request)}${request.originalUrl}`);
    const begun = JSON.parse(text) as Begun;
    const { account, joins } = begun;
    return { ...(await provider.finish(answered, begun)), account, joins };
  } catch (error) {
    const fault = error instanceof SignInRefused ? 'refused' : 'not_proven';
    logger.warn('console.sign_in', { detail: request.ip ?? '', outcome: fault, error });
    return { fault };
  }
}
