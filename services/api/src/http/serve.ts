import { GatewayError } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import type { Request, RequestHandler, Response } from 'express';
import { type Caller, requireFamily } from '../use-cases/caller';
import { CallerLeftError } from '../use-cases/caller-connection';
import type { RecordRequest } from './access-record';
import type { AddressPace } from './address-pace';
import { answerError } from './answer-error';
import type { Authenticator } from './authenticate';
import { dropBody } from './body-bytes';
import type { BodyPace } from './body-pace';
import { allowAnyOrigin } from './cors';
import type { Call, Exchange } from './exchange';
import type { MemoryShares } from './memory-shares';
import { NOBODY } from './pace-clocks';
import type { RateLimit } from './rate-limit';
import { type RefusalShare, Turn } from './refusal-share';
import { requestIdOf } from './request-id';
import { ownMessage, RequestScope, type RequestScopes } from './request-scope';
import type { KeyRoute, Route } from './route';

export interface ServeDeps {
  authenticator: Authenticator;
  rateLimit: RateLimit;
  memory: MemoryShares;
  refusals: RefusalShare;
  addresses: AddressPace;
  recordRequest: RecordRequest;
  scopes: RequestScopes;
  bodyPace: BodyPace;
  logger: Logger;
}

export type Serve = (route: Route) => RequestHandler;

/**
 * What stands around every handler, in the order of the specification: request id, key (401), permission (403), rate
 * (429), then the work itself (400, 422, 402), and whatever went wrong becomes an answer here.
 */
export function createServe(deps: ServeDeps): Serve {
  async function answer(route: Route, exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const startedAt = performance.now();
    const turn = new Turn(deps.refusals, exchange);
    let caller: Caller | undefined;
    let refused = false;
    response.once('close', () => deps.recordRequest({ route, exchange, caller, startedAt }));
    try {
      if (route.cors) allowAnyOrigin(response);
      if (route.auth === 'none') {
        if (route.perAddress) deps.addresses.admit(request.socket.remoteAddress ?? '');
        return await route.handle(exchange);
      }
      caller = await deps.authenticator.authenticate(request, route.keyHeader);
      exchange.memory.own(caller);
      const turnedAway = await turn.enter(caller.accountId);
      if (turnedAway) throw turnedAway;
      await admit(route, { ...exchange, caller }, deps);
      await route.handle({ ...exchange, caller });
    } catch (error) {
      refused = isRefusal(error, request);
      // Who shows no key is known by the refusal alone, so that its answer waits in place of its work.
      const turnedAway = refused && caller === undefined ? await turn.enter(NOBODY) : undefined;
      answerError(exchange, turnedAway ?? error, exchange.wording.errors ?? route.errors ?? 'standard', deps.logger);
    } finally {
      turn.end(refused);
      exchange.memory.release();
      if (request.complete) exchange.scope.close();
      else dropBody(exchange);
    }
  }

  return (route) => (request, response) => {
    const exchange = openExchange(request, response, deps);
    return deps.scopes.run(exchange, () => answer(route, exchange));
  };
}

function openExchange(request: Request, response: Response, { memory, bodyPace: pace }: ServeDeps): Exchange {
  const requestId = requestIdOf(request);
  response.setHeader('X-Request-Id', requestId);
  const exchange = {
    request,
    response,
    requestId,
    pace,
    memory: memory.lease(),
    scope: new RequestScope(requestId),
    wording: {},
  };
  exchange.scope.onClose(() => exchange.memory.release());
  ownMessage(request, exchange);
  ownMessage(response, exchange);
  return exchange;
}

async function admit(route: KeyRoute, { caller, response }: Call, deps: ServeDeps): Promise<void> {
  if (route.family !== undefined) requireFamily(caller, route.family);
  await deps.rateLimit(caller, route.bucket, response);
}

/** Its caller is to blame that the request came to nothing. Who leaves after a whole body has left a task that is paid. */
function isRefusal(error: unknown, request: Request): boolean {
  if (error instanceof CallerLeftError) return !request.complete;
  return error instanceof GatewayError && error.httpStatus < 500;
}
