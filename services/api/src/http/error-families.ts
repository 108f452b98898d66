import type { ErrorShape } from '@mediagate/api-contract';
import type { Route } from './route';

export interface ErrorFamily {
  prefix: string;
  errors: ErrorShape;
}

/**
 * How errors are worded below a prefix where no route says so: there is none, or the path cannot be decoded. A prefix is as short
 * as it can be while all routes below it word their errors alike.
 */
export function errorFamilies(routes: readonly Route[]): ErrorFamily[] {
  const families = new Map<string, ErrorFamily>();
  for (const { path, errors = 'standard' } of routes) {
    const prefix = errors === 'standard' ? undefined : prefixesOf(path).find((each) => isAllOf(each, errors, routes));
    if (prefix !== undefined) families.set(prefix, { prefix, errors });
  }
  return [...families.values()];
}

/** `/v1`, `/v1/imgtool`: the words before the first parameter, one after the other. */
function prefixesOf(path: string): string[] {
  const words = path.split('/:')[0]?.split('/').slice(1) ?? [];
  return words.map((_word, index) => `/${words.slice(0, index + 1).join('/')}`);
}

function isAllOf(prefix: string, errors: ErrorShape, routes: readonly Route[]): boolean {
  return routes.every((route) => !`${route.path}/`.startsWith(`${prefix}/`) || route.errors === errors);
}
