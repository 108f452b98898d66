import { GatewayError, message } from '@mediagate/contracts';
import type { OpenRoute, Route } from './route';

/** Finds the path that was meant. */
export type FindMeant = (path: string) => string | undefined;

/** For every path that no route has. */
export function unknownPath(findMeant: FindMeant): OpenRoute {
  return {
    method: 'get',
    path: '(unknown)',
    auth: 'none',
    handle({ request }) {
      const meant = findMeant(request.originalUrl.split('?')[0] ?? '');
      const about = meant === undefined ? message('endpoint_unknown') : message('endpoint_elsewhere', { path: meant });
      throw new GatewayError('not_found', about);
    },
  };
}

/** Of clients that add their paths to a base URL of the caller's choice. */
export const CLIENT_BASE = '/openai/v1';

/** A client with another base URL asks for paths that end as those under the right one do: `/v1/chat/completions`. */
export function underWrongBase(routes: readonly Route[]): FindMeant {
  const ends = routes.flatMap(({ path }) =>
    path.startsWith(`${CLIENT_BASE}/`) && !path.includes(':') ? [path.slice(CLIENT_BASE.length)] : [],
  );
  return (path) => {
    const end = ends.find((each) => path.replace(/\/+$/, '').endsWith(each));
    return end === undefined ? undefined : `${CLIENT_BASE}${end}`;
  };
}

/** For the methods that a known path does not have. */
export function otherMethods(path: string, routes: readonly Route[]): OpenRoute {
  const methods = [...new Set(routes.map((route) => route.method.toUpperCase()))];
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  return {
    method: 'get',
    path,
    auth: 'none',
    ...(routes[0]?.pages === undefined ? {} : { pages: routes[0].pages }),
    ...(routes[0]?.errors === undefined ? {} : { errors: routes[0].errors }),
    handle({ request, response }) {
      response.setHeader('Allow', allowed);
      throw new GatewayError(
        'method_not_allowed',
        message('method_not_allowed', { method: request.method, methods: allowed }),
      );
    },
  };
}
