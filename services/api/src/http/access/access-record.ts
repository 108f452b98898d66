import type { Reason } from '@mediagate/contracts';
import { type Logger, openRequestSpan, type RequestSpan } from '@mediagate/host';
import type { Operator } from '@mediagate/identity';
import type { Request } from 'express';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { Caller } from '../../use-cases/caller';
import type { Shutdown } from '../caller-watch';
import type { Exchange } from '../exchange';
import { patternOf, type Route } from '../route';

export interface FinishedRequest {
  route: Route;
  exchange: Exchange;
  /** Neither: nobody was let in. */
  caller?: Caller;
  operator?: Operator;
  /** Absent: it was not refused. */
  refusedFor?: Reason;
  /** When the request began, by `performance.now()`. */
  startedAt: number;
}

export type RecordRequest = (finished: FinishedRequest) => void;

/** Failures that simulators return when a caller's test asks for them. */
const OF_SIMULATORS: ReadonlySet<Reason> = new Set([
  'no_upstream',
  'upstream_error',
  'outcome_unknown',
  'result_unavailable',
]);

/** An error that a test key wished for says nothing of the gateway. */
function isWanted({ caller, refusedFor }: Pick<FinishedRequest, 'caller' | 'refusedFor'>): boolean {
  return caller?.isTest === true && refusedFor !== undefined && OF_SIMULATORS.has(refusedFor);
}

const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** One log line and one observation a request. Reads that went well are logged at debug: they are most of the traffic. */
export function createRequestRecorder(logger: Logger, metrics: Registry, shutdown: Readonly<Shutdown>): RecordRequest {
  const durations = new Histogram({
    name: 'mediagate_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [metrics],
  });
  const refusals = new Counter({
    name: 'mediagate_http_refusals_total',
    help: 'Requests that were answered with an error, by its reason.',
    labelNames: ['reason'],
    registers: [metrics],
  });
  return ({ exchange: { request, response, requestId }, startedAt, ...who }) => {
    const route = patternOf(who.route);
    const durationMs = performance.now() - startedAt;
    const status = response.statusCode;
    if (!isWanted(who)) durations.observe({ method: request.method, route, status }, durationMs / 1000);
    if (who.refusedFor !== undefined) refusals.inc({ reason: who.refusedFor });
    const level = request.method === 'POST' || status >= 500 ? 'info' : 'debug';
    const taskId = response.getHeader('X-Task-Id');
    logger[level]('http.request', {
      requestId,
      method: request.method,
      route,
      status,
      durationMs: Math.round(durationMs * 10) / 10,
      ...(who.caller ? { keyId: who.caller.id, accountId: who.caller.accountId } : {}),
      ...(who.operator ? { operatorId: who.operator.id } : {}),
      ...(typeof taskId === 'string' ? { taskId } : {}),
      ...(response.writableFinished ? {} : { outcome: shutdown.cutsConnections ? 'cut_off' : 'caller_left' }),
    });
  };
}

/** The span of a request, from its head to the last byte of its answer. Undefined: nothing is traced. */
export function openTrace(route: Route, request: Request, requestId: string): RequestSpan | undefined {
  return openRequestSpan(request.headers, () => {
    const pattern = patternOf(route);
    const attributes = {
      'http.request.method': request.method,
      'http.route': pattern,
      'mediagate.request_id': requestId,
      ...(route.operation === undefined ? {} : { 'mediagate.operation': route.operation }),
    };
    return { name: `${request.method} ${pattern}`, attributes };
  });
}

/** Ends the span with what became of the request. An error of its caller's own is none of the service. */
export function endTrace({ exchange: { trace, response }, caller, operator, refusedFor }: FinishedRequest): void {
  if (trace === undefined) return;
  const status = response.statusCode;
  trace.note({
    'http.response.status_code': status,
    ...(caller ? { 'mediagate.account_id': caller.accountId, 'mediagate.key_id': caller.id } : {}),
    ...(operator ? { 'mediagate.operator_id': operator.id } : {}),
    ...(refusedFor === undefined ? {} : { 'mediagate.reason': refusedFor }),
  });
  if (!response.writableFinished) trace.event('connection_closed');
  if (status >= 500) trace.fail(refusedFor ?? String(status));
  trace.end();
}
