import { GatewayError, message } from '@mediagate/contracts';
import type { OpenRoute, Route } from './route';

/** For every path that no route has. */
export const UNKNOWN_PATH: OpenRoute = {
  method: 'get',
  path: '(unknown)',
  auth: 'none',
  handle() {
    throw new GatewayError('not_found', message('endpoint_unknown'));
  },
};

/** For the methods that a known path does not have. */
export function otherMethods(path: string, routes: readonly Route[]): OpenRoute {
  const methods = [...new Set(routes.map((route) => route.method.toUpperCase()))];
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  return {
    method: 'get',
    path,
    auth: 'none',
    cors: routes.some((route) => route.cors),
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
