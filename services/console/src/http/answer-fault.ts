import { DatabaseUnavailableError, DayLimitError, PER_DAY } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import type { ErrorRequestHandler } from 'express';
import { FieldFault } from './fields';
import { type Refusal, refuse } from './refuse';

/** A refusal by a body parser or the router is the caller's fault, and the answer says so; of other faults it says nothing. */
export function answerFault(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const refusal = refusalOf(error);
    if (refusal.status >= 500) logger.error('console.request_failed', { method: request.method, error });
    if (response.headersSent) response.destroy();
    else refuse(response, refusal);
  };
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof FieldFault) return { status: 400, reason: 'invalid_request', message: error.message };
  if (error instanceof DatabaseUnavailableError) {
    return { status: 503, reason: 'unavailable', message: 'The database does not answer. Try again soon.' };
  }
  if (error instanceof DayLimitError) {
    const message = `The account may change ${PER_DAY.changes} things a day. The next day begins at midnight UTC.`;
    return { status: 429, reason: 'too_many_changes', message };
  }
  const { status } = error as { status?: number };
  return status !== undefined && status >= 400 && status < 500
    ? { status, reason: 'invalid_request', message: 'The request is not valid.' }
    : { status: 500, reason: 'internal', message: 'Something went wrong.' };
}
