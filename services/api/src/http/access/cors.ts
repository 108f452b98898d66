import type { Response } from 'express';
import type { Exchange } from '../exchange';

/** Origins whose pages may call a route; `*`: any origin. */
export type PageOrigins = '*' | ReadonlySet<string>;

/** Seconds a browser may remember the answer to its preflight. */
const PREFLIGHT_MAX_AGE_SECONDS = 86_400;
const READABLE_HEADERS = [
  'X-Request-Id',
  'X-Task-Id',
  'AI-Disclosure',
  'Idempotency-Replayed',
  'Preference-Applied',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'ETag',
].join(', ');

/** The origins that the operator lists; undefined: there are none. */
export function readPageOrigins(origins: readonly string[]): PageOrigins | undefined {
  if (origins.includes('*')) return '*';
  return origins.length === 0 ? undefined : new Set(origins);
}

/** Lets pages read the answer. Credentials of a browser are not involved: the key travels in a header of the caller's own. */
export function allowPages({ request, response }: Pick<Exchange, 'request' | 'response'>, origins: PageOrigins): void {
  if (origins !== '*') response.vary('Origin');
  const { origin = '' } = request.headers;
  if (origins === '*') allowOrigin(response, origins);
  else if (origins.has(origin)) allowOrigin(response, origin);
}

function allowOrigin(response: Response, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', READABLE_HEADERS);
}

/** The answer to a browser's question whether it may ask. Of `Authorization` the wildcard says nothing. */
export function answerPreflight(response: Response, methods: readonly string[]): void {
  const allowed = [...methods, 'options'].map((method) => method.toUpperCase());
  response.setHeader('Access-Control-Allow-Methods', allowed.join(', '));
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, *');
  response.setHeader('Access-Control-Max-Age', PREFLIGHT_MAX_AGE_SECONDS);
  response.statusCode = 204;
  response.end();
}
