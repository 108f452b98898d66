import type { Request, RequestHandler } from 'express';
import { refuse } from './refuse';

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
    const isOwn = isSafe(request) || comesFrom(publicOrigin ?? `http://${request.headers.host}`, request);
    if (isOwn) next();
    else refuse(response, FOREIGN);
  };
}

const FOREIGN = { status: 403, reason: 'foreign_origin', message: 'This request came from another site.' };

/** Changes nothing, by its method. */
export function isSafe({ method }: Request): boolean {
  return SAFE_METHODS.has(method);
}

function comesFrom(ownOrigin: string, { headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return headers.origin === undefined || headers.origin === ownOrigin;
}
