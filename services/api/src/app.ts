import { listOperations, type ServedOperation } from '@mediagate/api-contract';
import { Pace } from '@mediagate/concurrency';
import type { Logger } from '@mediagate/host';
import type { ErrorRequestHandler, Express } from 'express';
import type { Api } from './api';
import { createHandlers } from './handlers';
import { readPageOrigins } from './http/access/cors';
import { answerError } from './http/answers/answer-error';
import { bindRoutes } from './http/bind-routes';
import { ByteShares } from './http/body/byte-shares';
import { requestIdOf } from './http/exchange';
import { type ErrorFamily, errorFamilies, mountRoutes, unknownPath } from './http/mount-routes';
import { newExpress } from './http/new-express';
import { createServe, type ServeDeps } from './http/serve';
import { OPERATOR_HANDLERS } from './operator-handlers';
import type { Operators } from './operators';
import { BODIES_IN_MEMORY, REFERENCE_PER_ADDRESS, REFUSALS } from './request-limits';
import { unreadable } from './use-cases/invalid';

/** The contexts and means that an application of any audience serves with. */
export interface Application {
  /** The context of callers' routes. */
  api: Api;
  /** The context of operators' routes. */
  operators: Operators;
  /** Lets requests in, and writes down what became of them. */
  serving: Omit<ServeDeps, 'memory' | 'refusals' | 'addresses'>;
  /** First word of the paths of the image tool's older interface. */
  legacyPrefix: string;
  /** Origins of pages that may call every route; empty: none, beyond what an operation opens to all. */
  pageOrigins: readonly string[];
}

/** Selects the routes that an application serves. */
export type Audience = 'everybody' | 'callers' | 'operators';

/** The HTTP application: a handler for each operation of its audience, and an answer for unknown paths. It does not listen. */
export function createApp(
  { api, operators, serving, legacyPrefix, pageOrigins }: Application,
  audience: Audience = 'everybody',
): Express {
  const { scopes, logger } = serving;
  const memory = new ByteShares(BODIES_IN_MEMORY);
  const refusals = { pace: new Pace(REFUSALS), waitMaxMs: REFUSALS.waitMaxMs };
  const addresses = new Pace(REFERENCE_PER_ADDRESS);
  const serve = createServe({ ...serving, memory, refusals, addresses });
  const app = newExpress(scopes);
  const operations = listOperations(api.catalogue.entries, { legacyPrefix });
  const routes = bindRoutes(operations.filter(isFor(audience)), {
    callers: { handlers: createHandlers(operations), api },
    operators: { handlers: OPERATOR_HANDLERS, operators },
    pages: readPageOrigins(pageOrigins),
  });
  mountRoutes(app, routes, serve);
  const families = errorFamilies(routes);
  const unknown = unknownPath(routes);
  for (const { prefix, errors } of families) app.use(prefix, serve({ ...unknown, errors }));
  app.use(serve(unknown));
  app.use(answerRouterFault(families, logger));
  return app;
}

function isFor(audience: Audience): (operation: ServedOperation) => boolean {
  if (audience === 'everybody') return () => true;
  return ({ auth }) => (auth === 'operator') === (audience === 'operators');
}

/** Answers errors that the router throws before it reaches a route: the path is not valid percent-encoding. */
function answerRouterFault(families: readonly ErrorFamily[], logger: Logger): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const requestId = requestIdOf(request);
    response.setHeader('X-Request-Id', requestId);
    const fault = error instanceof URIError ? unreadable('path_invalid') : error;
    const family = families.find(({ prefix }) => request.path.startsWith(`${prefix}/`));
    answerError({ response, requestId, wording: {} }, fault, family?.errors ?? 'standard', logger);
  };
}
