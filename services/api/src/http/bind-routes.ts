import type { ServedOperation } from '@mediagate/api-contract';
import { answerPreflight } from './cors';
import type { Handlers } from './handler';
import type { OpenRoute, Route } from './route';

/** A route for each operation, with the handler of its entry. */
export function bindRoutes(operations: readonly ServedOperation[], handlers: Handlers): Route[] {
  const routes = operations.map((operation) => bindRoute(operation, handlers));
  return [...routes, ...routes.filter(({ cors }) => cors).map(preflightOf)];
}

function bindRoute(operation: ServedOperation, handlers: Handlers): Route {
  const { method, errors = 'standard', cors = false } = operation;
  const endpoint = { method, errors, cors, ...expressPath(operation.path) };
  if (operation.auth === 'none') {
    const handle = handlers[operation.entry];
    const { perAddress = false } = operation;
    return { ...endpoint, auth: 'none', perAddress, handle: (exchange) => handle(exchange, operation) };
  }
  if (operation.auth === 'operator') {
    const handle = handlers[operation.entry];
    return { ...endpoint, auth: 'operator', role: operation.role, handle: (call) => handle(call, operation) };
  }
  const { bucket, family, keyHeader, manages = false } = operation;
  const handle = handlers[operation.entry];
  return {
    ...endpoint,
    auth: 'key',
    bucket,
    manages,
    ...(family === undefined ? {} : { family }),
    ...(keyHeader === undefined ? {} : { keyHeader }),
    handle: (call) => handle(call, operation),
  };
}

/** `/v1/tasks/{id}` as `/v1/tasks/:id`; the verb of `/v1beta/models/{model}:countTokens` is no part of the pattern. */
function expressPath(path: string): Pick<Route, 'path' | 'verb'> {
  const [, stem = path, verb] = /^(.*\}):(\w+)$/.exec(path) ?? [];
  const pattern = stem.replace(/\{(\w+)\}/g, ':$1');
  return verb === undefined ? { path: pattern } : { path: pattern, verb };
}

/** A path that pages may read answers their browser's question as well. */
function preflightOf({ path, errors = 'standard' }: Route): OpenRoute {
  return {
    method: 'options',
    path,
    errors,
    cors: true,
    auth: 'none',
    handle: ({ response }) => answerPreflight(response),
  };
}
