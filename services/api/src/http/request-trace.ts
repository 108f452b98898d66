import { openRequestSpan, type RequestSpan } from '@mediagate/host';
import type { Request } from 'express';
import type { FinishedRequest } from './access-record';
import { patternOf, type Route } from './route';

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
