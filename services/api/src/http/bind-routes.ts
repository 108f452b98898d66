import type { OperatorOperationId, ServedOperation } from '@mediagate/api-contract';
import type { Api } from '../api';
import type { Operators } from '../operators';
import { answerPreflight, type PageOrigins } from './access/cors';
import type { Call, Exchange } from './exchange';
import { requireDescribedQuery, requireKnownQuery } from './fields/known-query';
import type { Handlers, OpenRoute, OperatorHandlers, OperatorRoute, Route } from './route';

export interface RouteOptions {
  /** The handlers of callers' operations, and what they work with. */
  callers: { handlers: Handlers; api: Api };
  /** The same for operators. */
  operators: { handlers: OperatorHandlers; operators: Operators };
  /** Origins whose pages may call every route of callers; undefined: pages may call only operations that are open to all. */
  pages: PageOrigins | undefined;
}

/** A route for each operation, with the handler of its entry. */
export function bindRoutes(operations: readonly ServedOperation[], options: RouteOptions): Route[] {
  const routes = operations.map((operation) => bindRoute(operation, options));
  return [...routes, ...preflightsOf(routes)];
}

/** A route for an operation of operators, with the handler of its entry. Pages may not call it: operators' tokens do not belong in pages. */
export function bindOperatorRoute(
  operation: ServedOperation & { auth: 'operator'; entry: OperatorOperationId },
  options: RouteOptions['operators'],
): OperatorRoute {
  const { errors = 'standard', entry, path } = operation;
  return { ...operation, ...expressPath(path), errors, operation: entry, handle: operatorRoute(operation, options) };
}

function bindRoute(operation: ServedOperation, options: RouteOptions): Route {
  if (operation.auth === 'operator') return bindOperatorRoute(operation, options.operators);
  const { method, errors = 'standard', entry } = operation;
  const pages = operation.cors ? '*' : options.pages;
  const endpoint = {
    errors,
    operation: entry,
    ...(pages === undefined ? {} : { pages }),
    ...expressPath(operation.path),
  };
  const { handlers, api } = options.callers;
  if (operation.auth === 'none') {
    const handle = handlers[operation.entry];
    return { ...operation, ...endpoint, handle: (exchange: Exchange) => handle(exchange, api) };
  }
  const handle = handlers[operation.entry];
  return {
    ...operation,
    ...endpoint,
    handle(call: Call) {
      if (isSubmission(operation)) requireKnownQuery(call, errors);
      else if (method !== 'get' && errors === 'standard') requireDescribedQuery(call, operation);
      return handle(call, api, operation);
    },
  };
}

/** A change that an operator asks for with a word that it does not have is not made. */
function operatorRoute(
  operation: ServedOperation & { entry: OperatorOperationId },
  { handlers, operators }: RouteOptions['operators'],
): OperatorRoute['handle'] {
  const handle = handlers[operation.entry];
  return (call) => {
    if (operation.method !== 'get') requireDescribedQuery(call, operation);
    return handle(call, operators);
  };
}

function isSubmission({ parameters = [] }: ServedOperation): boolean {
  return parameters.some(({ name }) => name === 'dry_run');
}

/** `/v1/tasks/{id}` as `/v1/tasks/:id`; the verb of `/v1beta/models/{model}:countTokens` is no part of the pattern. */
function expressPath(path: string): Pick<Route, 'path' | 'verb'> {
  const [, stem = path, verb] = /^(.*\}):(\w+)$/.exec(path) ?? [];
  const pattern = stem.replace(/\{(\w+)\}/g, ':$1');
  return verb === undefined ? { path: pattern } : { path: pattern, verb };
}

/** A path that pages may call answers their browser's question as well. */
function preflightsOf(routes: readonly Route[]): OpenRoute[] {
  const methods = new Map<string, Set<Route['method']>>();
  for (const { path, method, pages } of routes) {
    if (pages !== undefined) methods.set(path, (methods.get(path) ?? new Set()).add(method));
  }
  return routes.flatMap(({ path, errors = 'standard', pages }) => {
    const onPath = methods.get(path);
    if (pages === undefined || onPath === undefined) return [];
    methods.delete(path);
    const handle: OpenRoute['handle'] = ({ response }) => answerPreflight(response, [...onPath]);
    return [{ method: 'options', path, errors, pages, auth: 'none', handle }];
  });
}
