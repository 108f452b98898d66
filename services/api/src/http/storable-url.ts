import type { Request } from 'express';
import { invalid } from '../use-cases/invalid';

/**
 * Refuses NUL in a path or a query, which PostgreSQL's text cannot hold: it would be an error of ours there. What a body has of it is
 * refused by `makeJsonSafe`; a header cannot have it.
 *
 * @throws GatewayError `invalid_request`, naming the path or the parameter of the query.
 */
export function requireStorableUrl({ url, query }: Pick<Request, 'url' | 'query'>): void {
  if (!url.includes('%00')) return;
  const named = Object.entries(query).find(([name, value]) => `${name}${value}`.includes('\0'))?.[0];
  throw invalid(named?.replaceAll('\0', '') ?? 'path', 'must_have_no_nul');
}
