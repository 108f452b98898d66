import type { Logger } from '@mediagate/host';
import express, { type Request, type Response, Router } from 'express';
import { loginPage } from '../pages/login-page';
import type { Cookie } from './cookie';
import type { CheckCredentials } from './credentials';
import type { KnownDevices } from './known-devices';
import type { LoginLimit, Origin } from './login-limit';
import type { Sessions } from './sessions';

export interface LoginDeps {
  checkCredentials: CheckCredentials;
  limit: LoginLimit;
  sessions: Sessions;
  devices: KnownDevices;
  cookie: Cookie;
  /** Tells the browsers that have logged in before. */
  deviceCookie: Cookie;
  logger: Logger;
}

const FORM_MAX_BYTES = 2048;
const WRONG = 'User name or password is wrong.';

/** `/login` and `/logout`: with the style sheet, all that is reachable without a login. */
export function createLoginRoutes(deps: LoginDeps): Router {
  const { checkCredentials, limit, sessions, devices, cookie, deviceCookie, logger } = deps;
  const router = Router();

  async function logIn(request: Request, response: Response): Promise<void> {
    const origin = originOf(request);
    const noted = { detail: origin.address, route: '/login' };
    const wait = await limit.take(origin);
    if (wait !== undefined) {
      logger.warn('console.login', { ...noted, outcome: 'limited' });
      response.setHeader('Retry-After', wait.retryAfterSeconds);
      const fault = `Too many attempts. Try again in ${wait.retryAfterSeconds} s.`;
      response.status(429).send(loginPage({ fault }));
      return;
    }
    const user = field(request.body, 'user');
    if (!(await checkCredentials({ user, password: field(request.body, 'password') }))) {
      logger.warn('console.login', { ...noted, outcome: 'refused' });
      response.status(401).send(loginPage({ fault: WRONG }));
      return;
    }
    limit.succeeded(origin);
    closeSession(request);
    cookie.write(response, sessions.open(user));
    deviceCookie.write(response, devices.issue());
    logger.info('console.login', { ...noted, outcome: 'accepted' });
    response.redirect(303, '/');
  }

  function originOf(request: Request): Origin {
    const proof = deviceCookie.read(request);
    return { address: request.ip ?? '', device: proof === undefined ? undefined : devices.verify(proof) };
  }

  function closeSession(request: Request): void {
    const token = cookie.read(request);
    if (token !== undefined) sessions.close(token);
  }

  router.get('/login', (_request, response) => void response.send(loginPage({})));
  router.post('/login', express.urlencoded({ limit: FORM_MAX_BYTES, extended: false, parameterLimit: 10 }), logIn);
  router.post('/logout', (request, response) => {
    closeSession(request);
    cookie.clear(response);
    response.redirect(303, '/login');
  });
  return router;
}

/** Empty when it is missing or was sent twice: both are wrong. */
function field(body: unknown, name: string): string {
  const value = (body as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' ? value : '';
}
