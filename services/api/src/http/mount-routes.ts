import { GatewayError, message } from '@mediagate/contracts';
import type { Express, RequestHandler } from 'express';
import type { OpenRoute, Route } from './route';
import type { Serve } from './serve';
import { otherMethods } from './unmatched';

/** Puts the routes before the application, in their order, and behind those of each path the answer to its other methods. */
export function mountRoutes(app: Express, routes: readonly Route[], serve: Serve): void {
  for (const [path, onPath] of groupBy(routes, (route) => route.path)) {
    const mounted = app.route(path);
    for (const [method, ofMethod] of groupBy(onPath, (route) => route.method)) mounted[method](oneOf(ofMethod, serve));
    mounted.all(serve(otherMethods(path, onPath)));
  }
}

function oneOf(routes: readonly Route[], serve: Serve): RequestHandler {
  const [only] = routes;
  return only === undefined || only.verb !== undefined ? byVerb(routes, serve) : serve(only);
}

/** Paths that differ in nothing but the verb behind their last colon. */
function byVerb(routes: readonly Route[], serve: Serve): RequestHandler {
  const handlers = new Map(routes.map((route) => [route.verb, serve(route)]));
  const otherwise = serve(otherVerbs(routes));
  const lastWord = routes[0]?.path.split('/:').at(-1) ?? '';
  return (request, response, next) => {
    const verb = verbOf(String(request.params[lastWord]));
    return (handlers.get(verb) ?? otherwise)(request, response, next);
  };
}

function verbOf(word: string): string {
  return word.slice(word.lastIndexOf(':') + 1);
}

function otherVerbs(routes: readonly Route[]): OpenRoute {
  const [{ path = '', errors = 'standard' } = {}] = routes;
  const verbs = routes.map(({ verb }) => verb).join(', ');
  return {
    method: 'post',
    path,
    errors,
    auth: 'none',
    handle() {
      throw new GatewayError('not_found', message('method_unknown', { methods: verbs }));
    },
  };
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
