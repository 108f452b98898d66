import type { Response } from 'express';

/** Seconds a browser may remember the answer to its preflight. */
const PREFLIGHT_MAX_AGE_SECONDS = 86_400;
const READABLE_HEADERS = 'X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset';

/** Any origin may read the answer. Credentials of a browser are not involved: the key travels in a header of the caller's own. */
export function allowAnyOrigin(response: Response): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', READABLE_HEADERS);
}

/** The answer to a browser's question whether it may ask. */
export function answerPreflight(response: Response): void {
  response.setHeader('Access-Control-Allow-Methods', 'GET, OPTIONS');
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, X-Request-Id');
  response.setHeader('Access-Control-Max-Age', PREFLIGHT_MAX_AGE_SECONDS);
  response.statusCode = 204;
  response.end();
}
