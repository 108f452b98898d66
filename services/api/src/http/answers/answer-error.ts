import type { ErrorShape } from '@mediagate/api-contract';
import { GatewayError, message, type Reason } from '@mediagate/contracts';
import { DayLimitError, isOutage, PER_DAY } from '@mediagate/database';
import type { Logger } from '@mediagate/host';
import { StorageUnavailableError } from '@mediagate/media';
import type { Response } from 'express';
import { CallerLeftError, CutOffError } from '../../use-cases/caller-connection';
import { secondsToMidnight } from '../../use-cases/save-upload';
import { type Exchange, sendJson } from '../exchange';
import { discloseNothing } from './ai-disclosure';
import { answerLanguage } from './answer-language';
import { errorBody, errorEvent } from './error-body';
import { hasBegun } from './event-comments';

/** When a storage that takes nothing is worth another try, in seconds: it is looked at every five. */
const STORAGE_RETRY_SECONDS = 15;
/** When a database that cannot be reached is worth another try, in seconds. */
const UNAVAILABLE_RETRY_SECONDS = 2;
/** Time for a reader to take a broken stream's backlog and its last event; then the connection breaks, read or not. */
const LAST_EVENT_MS = 5_000;

/**
 * The one place where an error becomes an answer. What callers may read is the failure of a `GatewayError`, in the
 * language that they prefer; everything else is logged here, once, and answered as 500 without a word about its cause.
 *
 * @returns the reason that the caller was given; undefined: nobody was left to be given one.
 */
export function answerError(
  exchange: Pick<Exchange, 'response' | 'requestId' | 'wording'>,
  error: unknown,
  shape: ErrorShape,
  logger: Logger,
): Reason | undefined {
  const { response, requestId } = exchange;
  // Nobody is left to answer.
  if (error instanceof CallerLeftError || error instanceof CutOffError) return undefined;
  const known = toGatewayError(error);
  if (known.httpStatus >= 500) {
    const detail = known.internal === undefined ? {} : { detail: known.internal };
    const fields = { requestId, reason: known.reason, ...detail };
    // An answer that somebody decided on, as of a channel that operators have closed, is no fault of this process.
    if (known === error && known.cause === undefined && known.code !== 'internal') logger.warn('http.refused', fields);
    else logger.error('http.failed', { ...fields, error: known.cause ?? error });
  }
  const body = () => errorBody(shape, known, { language: answerLanguage(response), requestId });
  if (hasBegun(exchange)) {
    // The status line is gone already: only a broken connection is noticed by every client. Events say before that why it breaks.
    if (takesEvent(response)) breakOff(response, errorEvent(shape, body()));
    else response.destroy();
    return undefined;
  }
  if (response.headersSent) {
    response.end(errorEvent(shape, body()));
    return known.reason;
  }
  discloseNothing(response);
  if (known.retryAfterSeconds !== undefined) response.setHeader('Retry-After', known.retryAfterSeconds);
  sendJson(response, known.httpStatus, body());
  return known.reason;
}

function takesEvent(response: Response): boolean {
  return !response.writableEnded && response.getHeader('Content-Type') === 'text/event-stream';
}

function breakOff(response: Response, lastEvent: string): void {
  const limit = setTimeout(() => response.destroy(), LAST_EVENT_MS);
  response.once('close', () => clearTimeout(limit));
  response.write(lastEvent, () => response.destroy());
}

function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (isOutage(error)) {
    return new GatewayError('unavailable', message('service_unavailable'), {
      retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS,
      cause: error,
    });
  }
  if (error instanceof DayLimitError) {
    return new GatewayError('rate_limited', message(`${error.counted}_a_day`, { limit: PER_DAY[error.counted] }), {
      retryAfterSeconds: secondsToMidnight(),
    });
  }
  if (error instanceof StorageUnavailableError) {
    return new GatewayError('unavailable', message('service_unavailable'), {
      retryAfterSeconds: STORAGE_RETRY_SECONDS,
      cause: error,
    });
  }
  return new GatewayError('internal', message('server_error'), {
    cause: error,
  });
}
