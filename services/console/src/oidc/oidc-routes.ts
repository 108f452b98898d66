import { unixSeconds } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import {
  type Identified,
  type InvitedChoice,
  listPlaces,
  type SignInPlace,
  signInIdentified,
} from '@mediagate/identity';
import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import type { Console, Oidc } from '../console';
import { EXACT } from '../http/exact-path';
import { Fields } from '../http/fields';
import { readJson } from '../http/read-json';
import { type Refusal, refuse } from '../http/refuse';
import { openedSession } from '../session/require-session';
import type { Missing } from './missing';
import { type SignedIn, type SignInAttempt, SignInRefused } from './provider';

/** A console whose users may sign in elsewhere. */
type WithOidc = Console & { oidc: Oidc };

export const OIDC_PATH = '/session/oidc';
const CALLBACK_PATH = `${OIDC_PATH}/callback`;
/** An attempt, and for which account. */
type Begun = SignInAttempt & InvitedChoice;

/** The place that an attempt is sealed for: a cookie of another place opens nothing. */
const PLACE = 'console/oidc';

const NOT_REACHED: Refusal = {
  status: 502,
  reason: 'provider_unreachable',
  message: 'The identity provider cannot be reached. Try again soon.',
};
/** Why the page is opened without a session: the provider's answer did not suffice, or could not be looked at. */
type ElsewhereFault =
  | Exclude<Identified, { userId: string }>['fault']
  | Missing
  | 'not_proven'
  | 'refused'
  | 'unavailable';

/** `/session/oidc`: to the provider, begun by the page, and back with its answer, which the browser itself opens. */
export function createOidcRoutes(context: WithOidc): Router {
  const router = Router(EXACT);
  router.post(OIDC_PATH, readJson, (request, response) => begin(request, response, context));
  router.get(CALLBACK_PATH, (request, response) => finish(request, response, context));
  router.use(CALLBACK_PATH, leadBackFrom(context.logger));
  router.get(`${OIDC_PATH}/accounts`, async (request, response) => {
    const proven = context.oidc.provenCookie.read(request);
    const { account } = request.query;
    const places =
      proven && (await listPlaces(context.database, proven, typeof account === 'string' ? account : undefined));
    response.json({ data: (places ?? []).map(describePlace) });
  });
  return router;
}

function describePlace({ account, name, hasJoined, invitedAt, invitedBy }: SignInPlace): object {
  return { account, name, joined: hasJoined, invited_at: unixSeconds(invitedAt), invited_by: invitedBy };
}

/** No other site's page can send this, so that none has its visitor signed in; whoever is signed in already stays it. */
async function begin(request: Request, response: Response, context: WithOidc): Promise<void> {
  const { sealer, logger, oidc } = context;
  const fields = new Fields(request.body);
  const choice = { account: fields.optionalLine('account'), joins: fields.optionalBoolean('joins') ?? false };
  fields.end();
  if (await openedSession(request, context)) return void response.json({ data: { url: '/' } });
  try {
    const { url, attempt } = await oidc.provider.begin(`${consoleUrl(request, context)}${CALLBACK_PATH}`);
    const begun: Begun = { ...attempt, ...choice };
    oidc.attemptCookie.write(response, sealer.seal(JSON.stringify(begun), PLACE).toString('base64url'));
    response.json({ data: { url } });
  } catch (error) {
    logger.error('console.provider_unreachable', { error });
    refuse(response, NOT_REACHED);
  }
}

async function finish(request: Request, response: Response, context: WithOidc): Promise<void> {
  const proven = await provenBy(request, context);
  context.oidc.attemptCookie.clear(response);
  if ('fault' in proven) return leadBack(response, proven.fault);
  const { account, joins, who, lack } = proven;
  const outcome = await signInIdentified(context, who, { account, joins, formerToken: context.cookie.read(request) });
  const missing = 'fault' in outcome && outcome.fault === 'not_invited' ? lack : undefined;
  const fault = 'fault' in outcome ? (missing?.missing ?? outcome.fault) : undefined;
  const reason = missing === undefined ? {} : { reason: missing.reason };
  context.logger.info('console.sign_in', { detail: request.ip ?? '', outcome: fault ?? 'accepted', ...reason });
  if ('token' in outcome) {
    context.oidc.provenCookie.clear(response);
    context.cookie.write(response, outcome.token);
    return response.redirect(303, '/');
  }
  const { identity, email } = who;
  if (outcome.fault !== 'not_invited') context.oidc.provenCookie.write(response, { identity, email });
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
  context: WithOidc,
): Promise<(SignedIn & InvitedChoice) | { fault: 'not_proven' | 'refused' }> {
  const { sealer, logger, oidc } = context;
  const sealed = oidc.attemptCookie.read(request);
  const text = sealed === undefined ? undefined : sealer.open(Buffer.from(sealed, 'base64url'), PLACE);
  if (text === undefined) return { fault: 'not_proven' };
  try {
    const answered = new URL(`${consoleUrl(request, context)}${request.originalUrl}`);
    const begun = JSON.parse(text) as Begun;
    const { account, joins } = begun;
    return { ...(await oidc.provider.finish(answered, begun)), account, joins };
  } catch (error) {
    const fault = error instanceof SignInRefused ? 'refused' : 'not_proven';
    logger.warn('console.sign_in', { detail: request.ip ?? '', outcome: fault, error });
    return { fault };
  }
}

function consoleUrl(request: Request, { publicUrl }: Console): string {
  return publicUrl?.replace(/\/+$/, '') ?? `http://${request.headers.host}`;
}
