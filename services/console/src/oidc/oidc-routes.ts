import type { Logger } from '@mediagate/host';
import type { Sealer } from '@mediagate/sealing';
import type { ProvenIdentity } from '@mediagate/users';
import { type Request, type Response, Router } from 'express';
import { type Refusal, refuse } from '../http/refuse';
import type { Cookie } from '../session/cookie';
import type { Provider, SignInAttempt } from './provider';

export interface OidcDeps {
  provider: Provider;
  sealer: Sealer;
  cookie: Cookie;
  /** Has what the attempt needs, for as long as the user is at the provider. */
  attemptCookie: Cookie;
  signInIdentified(proven: ProvenIdentity, formerToken: string | undefined): Promise<{ token: string } | undefined>;
  consoleUrl(request: Request): string;
  logger: Logger;
}

export const OIDC_PATH = '/session/oidc';
const CALLBACK_PATH = `${OIDC_PATH}/callback`;
/** Where the attempt is sealed for: a cookie of another place opens nothing. */
const PLACE = 'console/oidc';

const NOT_REACHED: Refusal = {
  status: 502,
  reason: 'provider_unreachable',
  message: 'The sign-in elsewhere is not to be reached. Try again soon.',
};
const NOT_PROVEN: Refusal = {
  status: 403,
  reason: 'not_proven',
  message: 'The sign-in elsewhere was not completed here. Begin it again.',
};
const NOT_INVITED: Refusal = {
  status: 403,
  reason: 'not_invited',
  message: 'You are signed in there, but nobody has invited you here.',
};

/** `/session/oidc`: to the provider, and back with its answer. Both are opened by the browser itself. */
export function createOidcRoutes(deps: OidcDeps): Router {
  const router = Router();
  router.get(OIDC_PATH, (request, response) => begin(request, response, deps));
  router.get(CALLBACK_PATH, (request, response) => finish(request, response, deps));
  return router;
}

async function begin(request: Request, response: Response, deps: OidcDeps): Promise<void> {
  const { provider, sealer, attemptCookie, consoleUrl, logger } = deps;
  try {
    const { url, attempt } = await provider.begin(`${consoleUrl(request)}${CALLBACK_PATH}`);
    attemptCookie.write(response, sealer.seal(JSON.stringify(attempt), PLACE).toString('base64url'));
    response.redirect(303, url);
  } catch (error) {
    logger.error('console.provider_unreachable', { error });
    refuse(response, NOT_REACHED);
  }
}

async function finish(request: Request, response: Response, deps: OidcDeps): Promise<void> {
  const proven = await provenBy(request, deps);
  deps.attemptCookie.clear(response);
  if (!proven) return refuse(response, NOT_PROVEN);
  const opened = await deps.signInIdentified(proven, deps.cookie.read(request));
  deps.logger.info('console.sign_in', { detail: request.ip ?? '', outcome: opened ? 'accepted' : 'not_invited' });
  if (!opened) return refuse(response, NOT_INVITED);
  deps.cookie.write(response, opened.token);
  response.redirect(303, '/');
}

/** Undefined: this browser began no attempt, or the answer is not the provider's to it. */
async function provenBy(request: Request, deps: OidcDeps): Promise<ProvenIdentity | undefined> {
  const { provider, sealer, attemptCookie, consoleUrl, logger } = deps;
  const sealed = attemptCookie.read(request);
  const text = sealed === undefined ? undefined : sealer.open(Buffer.from(sealed, 'base64url'), PLACE);
  if (text === undefined) return undefined;
  try {
    const answered = new URL(`${consoleUrl(request)}${request.originalUrl}`);
    return await provider.finish(answered, JSON.parse(text) as SignInAttempt);
  } catch (error) {
    logger.warn('console.sign_in', { detail: request.ip ?? '', outcome: 'not_proven', error });
    return undefined;
  }
}
