import type { RequestHandler } from 'express';
import { csrfOf } from './csrf';
import { sessionOf } from './require-session';

/** The cookie of axios, which Bull Board's pages ask with: they send its value as `X-XSRF-TOKEN`. */
const COOKIE = 'XSRF-TOKEN';

/** Gives the board's pages, whose code is not ours, the session's token against forged requests. */
export function offerBoardCsrf({ path, https }: { path: string; https: boolean }): RequestHandler {
  return (_request, response, next) => {
    const { token } = sessionOf(response);
    response.cookie(COOKIE, csrfOf(token), { path, secure: https, sameSite: 'strict' });
    next();
  };
}
