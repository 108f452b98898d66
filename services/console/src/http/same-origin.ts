import type { Request, RequestHandler } from 'express';

const SAFE_METHODS = new Set(['GET', 'HEAD']);

/**
 * Refuses to change anything for a page of another origin. Every browser names the origin of a request that changes
 * something; one without that is no browser's, and whoever sends it has no cookie but the one it was given.
 *
 * @param publicUrl where browsers reach the console; absent: the name they asked for, over http.
 */
export function requireSameOrigin(publicUrl: string | undefined): RequestHandler {
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  return (request, response, next) => {
    if (SAFE_METHODS.has(request.method) || comesFrom(publicOrigin ?? `http://${request.headers.host}`, request)) {
      next();
    } else {
      response.status(403).type('text/plain').send('This request came from another site.\n');
    }
  };
}

function comesFrom(ownOrigin: string, { headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return headers.origin === undefined || headers.origin === ownOrigin;
}
