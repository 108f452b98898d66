import type { Request } from 'express';
import { invalid } from '../use-cases/invalid';
import { unreadable } from './unreadable';

/**
 * Refuses NUL in a path or a query, which PostgreSQL's text cannot hold: it would be an error of ours there. What a body has of it is
 * refused by `makeJsonSafe`; a header cannot have it.
 *
 * @throws GatewayError `invalid_request`, naming the parameter of the query.
 */
export function requireStorableUrl({ url, query }: Pick<Request, 'url' | 'query'>): void {
  if (!url.includes('%00')) return;
  const named = Object.entries(query).find(([name, value]) => `${name}${value}`.includes('\0'))?.[0];
  throw named === undefined
    ? unreadable('path_invalid')
    : invalid(named.replaceAll('\0', ''), 'must_have_no_control_characters');
}
