import { findSession, type Session } from '@mediagate/identity';
import type { Request, RequestHandler, Response } from 'express';
import type { Console } from '../console';
import { refuse, SIGNED_OUT } from '../http/refuse';
import { isSafe } from '../http/same-origin';
import { hasCsrf } from './csrf';

export interface OpenedSession extends Session {
  /** The session's token, as the cookie has it. */
  token: string;
}

/** Lets nobody pass who is not signed in, nor a change without the session's token against forged requests. */
export function requireSession(context: Console): RequestHandler {
  return async (request, response, next) => {
    const session = await openedSession(request, context);
    if (session === undefined) return refuse(response, SIGNED_OUT);
    if (!isSafe(request) && !hasCsrf(request, session.token)) return refuse(response, FORGED);
    response.locals['session'] = session;
    next();
  };
}

/** For what is no page of ours: a browser that opens it goes to the page it belongs to, which asks who is there and goes on. */
export function leadToSignIn(page: string, context: Console): RequestHandler {
  return async (request, response, next) => {
    const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html');
    if (!wantsPage || (await openedSession(request, context))) return next();
    response.redirect(303, page);
  };
}

export const FORGED = {
  status: 403,
  reason: 'csrf',
  message: 'X-CSRF-Token is missing or belongs to another session.',
};

/** Undefined: nobody is signed in. */
export async function openedSession(request: Request, context: Console): Promise<OpenedSession | undefined> {
  const token = context.cookie.read(request);
  const session = token === undefined ? undefined : await findSession(context, token);
  return session && token !== undefined ? { ...session, token } : undefined;
}

/** Behind `requireSession` only. */
export function sessionOf(response: Response): OpenedSession {
  return response.locals['session'] as OpenedSession;
}
