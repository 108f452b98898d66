import type { RequestHandler, Response } from 'express';
import type { Cookie } from './cookie';
import type { Session, Sessions } from './sessions';

/** Lets nobody pass who is not logged in: a page leads to the login, anything else is refused. */
export function requireLogin(sessions: Sessions, cookie: Cookie): RequestHandler {
  return (request, response, next) => {
    const token = cookie.read(request);
    const session = token === undefined ? undefined : sessions.find(token);
    if (session !== undefined) {
      response.locals['session'] = session;
      next();
    } else if (request.method === 'GET' && request.headers.accept?.includes('text/html')) {
      response.redirect(303, '/login');
    } else {
      response.status(401).type('text/plain').send('Log in first.\n');
    }
  };
}

/** Behind `requireLogin` only. */
export function userOf(response: Response): string {
  return (response.locals['session'] as Session).user;
}
