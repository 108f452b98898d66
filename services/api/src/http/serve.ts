import type { Pace } from '@mediagate/concurrency';
import { GatewayError, type Reason } from '@mediagate/contracts';
import type { Logger } from '@mediagate/host';
import type { Operator } from '@mediagate/identity';
import type { Request, RequestHandler } from 'express';
import type { FindModels } from '../offered-models';
import { NO_ACCOUNT, OPERATOR_LIMITS } from '../request-limits';
import {
  type Caller,
  requireActive,
  requireFamily,
  requireManage,
  requireTestChannel,
  requireWholeAccount,
} from '../use-cases/caller';
import { CallerLeftError } from '../use-cases/caller-connection';
import { invalid } from '../use-cases/invalid';
import { endTrace, openTrace, type RecordRequest } from './access/access-record';
import type { Authenticator } from './access/authenticate';
import { type AuthenticateOperator, requireRole } from './access/authenticate-operator';
import { allowPages } from './access/cors';
import { answerError } from './answers/answer-error';
import { dropBody } from './body/body-bytes';
import type { BodyPace } from './body/body-pace';
import type { ByteShares } from './body/byte-shares';
import { CallerFiles, type CallerFilesParts } from './body/caller-files';
import { type Call, type Exchange, requestIdOf } from './exchange';
import type { RatedCaller, RateLimit } from './limits/rate-limit';
import { admitPaced, type Refusals, Turn } from './limits/refusal-turn';
import { ownMessage, RequestScope, type RequestScopes } from './request-scope';
import type { KeyRoute, OpenRoute, OperatorRoute, Route } from './route';

export interface ServeDeps {
  authenticator: Authenticator;
  authenticateOperator: AuthenticateOperator;
  rateLimit: RateLimit;
  memory: ByteShares;
  callerFiles: CallerFilesParts;
  refusals: Refusals;
  addresses: Pace;
  recordRequest: RecordRequest;
  models: FindModels;
  scopes: RequestScopes;
  bodyPace: BodyPace;
  logger: Logger;
}

export type Serve = (route: Route) => RequestHandler;

/** The caller or operator who was let in (neither if refused or the route is open), and why the request was refused, if it was. */
interface Admitted {
  refusedFor?: Reason;
  caller?: Caller;
  operator?: Operator;
}

interface Admission {
  deps: ServeDeps;
  turn: Turn;
  /** Filled in once the caller or operator is known. */
  admitted: Admitted;
}

/**
 * Wraps every handler in the steps of the specification, in its order: request id, key or token (401), permission (403), rate
 * (429), then the work itself (400, 422, 402). Every error becomes an answer here.
 */
export function createServe(deps: ServeDeps): Serve {
  async function answer(route: Route, exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const startedAt = performance.now();
    const turn = new Turn(deps.refusals, exchange);
    const admitted: Admitted = {};
    let refused = false;
    response.once('close', () => {
      const finished = { route, exchange, ...admitted, startedAt };
      deps.recordRequest(finished);
      endTrace(finished);
    });
    try {
      if (route.pages !== undefined) allowPages(exchange, route.pages);
      if (route.auth === 'key') await serveCaller(route, exchange, { deps, turn, admitted });
      else if (route.auth === 'operator') await serveOperator(route, exchange, { deps, turn, admitted });
      else await serveAnybody(route, exchange, deps);
    } catch (error) {
      refused = isRefusal(error, request);
      // A caller without a valid key is known only by the refusal, so its answer waits for a turn instead of its work.
      const isNobody = admitted.caller === undefined && admitted.operator === undefined;
      const turnedAway = refused && isNobody ? await turn.enter(NO_ACCOUNT) : undefined;
      const shape = exchange.wording.errors ?? route.errors ?? 'standard';
      const reason = answerError(exchange, turnedAway ?? error, shape, deps.logger);
      if (reason !== undefined) admitted.refusedFor = reason;
    } finally {
      turn.end(refused || exchange.outcome.isUnpaid === true);
      endBody(exchange);
      if (request.complete) exchange.scope.close();
      else dropBody(exchange);
    }
  }

  return (route) => (request, response) => {
    const exchange = openExchange(route, { request, response }, deps);
    return deps.scopes.run(exchange, () => answer(route, exchange));
  };
}

async function serveCaller(route: KeyRoute, exchange: Exchange, { deps, turn, admitted }: Admission): Promise<void> {
  const found = deps.authenticator.authenticate(exchange.request, route.keyHeader);
  const caller = found instanceof Promise ? await found : found;
  admitted.caller = caller;
  exchange.memory.own(caller);
  exchange.files.own(caller);
  const waiting = turn.enter(caller.accountId);
  if (waiting !== undefined) await letIn(waiting);
  const call = { ...exchange, caller };
  const admitting = admit(route, call, deps);
  if (admitting !== undefined) await admitting;
  if (route.family !== undefined && route.method === 'post') requireTestChannel(caller, route.family, deps.models);
  requireStorableUrl(call.request);
  await route.handle(call);
}

async function serveOperator(
  route: OperatorRoute,
  exchange: Exchange,
  { deps, turn, admitted }: Admission,
): Promise<void> {
  const operator = await deps.authenticateOperator(exchange.request);
  admitted.operator = operator;
  const { actor: owner } = operator;
  const counted = { id: owner, accountId: owner };
  exchange.memory.own(counted);
  exchange.files.own(counted);
  const waiting = turn.enter(owner);
  if (waiting !== undefined) await letIn(waiting);
  requireRole(operator, route);
  await deps.rateLimit(rated(owner), route.method === 'get' ? 'query' : 'submit', exchange.response);
  requireStorableUrl(exchange.request);
  await route.handle({ ...exchange, operator });
}

/** Counts an owner like the key of an account of its own, which has no limit beside the token's. */
function rated(owner: string): RatedCaller {
  const { changesPerMinute: submitPerMinute, readsPerMinute: queryPerMinute } = OPERATOR_LIMITS;
  const ofAccount = { accountSubmitPerMinute: null, accountQueryPerMinute: null };
  return { id: owner, accountId: owner, submitPerMinute, queryPerMinute, ...ofAccount };
}

async function serveAnybody(route: OpenRoute, exchange: Exchange, { addresses }: ServeDeps): Promise<void> {
  if (route.perAddress) admitPaced(addresses, exchange.request.socket.remoteAddress ?? '');
  requireStorableUrl(exchange.request);
  await route.handle(exchange);
}

function openExchange(
  route: Route,
  { request, response }: Pick<Exchange, 'request' | 'response'>,
  { memory: shares, callerFiles, bodyPace: pace }: ServeDeps,
): Exchange {
  const requestId = requestIdOf(request);
  response.setHeader('X-Request-Id', requestId);
  const memory = shares.lease();
  const exchange = {
    request,
    response,
    requestId,
    pace,
    memory,
    files: new CallerFiles(callerFiles, memory),
    scope: new RequestScope(requestId),
    trace: openTrace(route, request, requestId),
    wording: {},
    outcome: {},
  };
  exchange.scope.onClose(() => endBody(exchange));
  ownMessage(request, exchange);
  ownMessage(response, exchange);
  return exchange;
}

/** Gives back what the body held of memory and disk. */
function endBody({ memory, files }: Pick<Exchange, 'memory' | 'files'>): void {
  memory.release();
  void files.close();
}

/** Waits in turn behind what of the owner's was refused. */
async function letIn(waiting: NonNullable<ReturnType<Turn['enter']>>): Promise<void> {
  const turnedAway = await waiting;
  if (turnedAway) throw turnedAway;
}

/** Undefined: it is. A promise for each step of a request that waits for nothing would cost more than the steps. */
function admit({ family, scope, manages, bucket }: KeyRoute, { caller, response }: Call, deps: ServeDeps) {
  if (family !== undefined) requireFamily(caller, family);
  if (family !== undefined && bucket === 'submit') requireActive(caller);
  if (manages) requireManage(caller);
  if (scope === 'account') requireWholeAccount(caller);
  return deps.rateLimit(caller, bucket, response) ?? undefined;
}

/** Whether the caller caused the failure. A caller who leaves after the whole body did not: the task may be booked and paid. */
function isRefusal(error: unknown, request: Request): boolean {
  if (error instanceof CallerLeftError) return !request.complete;
  return error instanceof GatewayError && error.httpStatus < 500;
}

/**
 * Refuses NUL in a path or a query, which PostgreSQL's text cannot hold: it would be an error of ours there. What a body has of it is
 * refused by `makeJsonSafe`; a header cannot have it.
 *
 * @throws GatewayError `invalid_request`, naming the path or the parameter of the query.
 */
function requireStorableUrl({ url, query }: Pick<Request, 'url' | 'query'>): void {
  if (!url.includes('%00')) return;
  const named = Object.entries(query).find(([name, value]) => `${name}${value}`.includes('\0'))?.[0];
  throw invalid(named?.replaceAll('\0', '') ?? 'path', 'must_have_no_nul');
}
