import type { Logger } from '@mediagate/host';
import express, { type Request, type Response, Router } from 'express';
import { loginPage } from '../pages/login-page';
import type { CheckCredentials } from './credentials';
import type { LoginLimit } from './login-limit';
import type { SessionCookie } from './session-cookie';
import type { Sessions } from './sessions';

export interface LoginDeps {
  checkCredentials: CheckCredentials;
  limit: LoginLimit;
  sessions: Sessions;
  cookie: SessionCookie;
  logger: Logger;
}

const FORM_MAX_BYTES = 2048;
const WRONG = 'User name or password is wrong.';

/** `/login` and `/logout`: with the style sheet, all that is reachable without a login. */
export function createLoginRoutes({ checkCredentials, limit, sessions, cookie, logger }: LoginDeps): Router {
  const router = Router();

  async function logIn(request: Request, response: Response): Promise<void> {
    const address = request.ip ?? '';
    const noted = { detail: address, route: '/login' };
    const wait = await limit.take(address);
    if (wait !== undefined) {
      logger.warn('console.login', { ...noted, outcome: 'limited' });
      response.setHeader('Retry-After', wait.retryAfterSeconds);
      const minutes = Math.ceil(wait.retryAfterSeconds / 60);
      response.status(429).send(loginPage({ fault: `Too many attempts. Try again in ${minutes} min.` }));
      return;
    }
    const user = field(request.body, 'user');
    if (!(await checkCredentials({ user, password: field(request.body, 'password') }))) {
      logger.warn('console.login', { ...noted, outcome: 'refused' });
      response.status(401).send(loginPage({ fault: WRONG }));
      return;
    }
    await limit.succeeded(address);
    closeSession(request);
    cookie.write(response, sessions.open(user));
    logger.info('console.login', { ...noted, outcome: 'accepted' });
    response.redirect(303, '/');
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
