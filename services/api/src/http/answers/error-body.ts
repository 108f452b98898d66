import type { ErrorShape } from '@mediagate/api-contract';
import { ERROR_TABLE, type Failure, type GatewayError, openAiCode, openAiType } from '@mediagate/contracts';
import { type Language, say } from '@mediagate/languages';

/** The answer that the body is made for. */
export interface ErrorAnswer {
  language: Language;
  /** The same as in the header `X-Request-Id`: many clients show only the body of an error. */
  requestId: string;
}

type BodyOf = (error: GatewayError, answer: ErrorAnswer) => object;

const BODIES: Record<ErrorShape, BodyOf> = {
  standard: (error, answer) => ({
    error: {
      code: error.httpStatus,
      message: say(error.failure.message, answer.language),
      type: ERROR_TABLE[error.code].type,
      ...particulars(error, answer),
    },
  }),
  imgtool: (error, answer) => ({
    error: {
      message: say(error.failure.message, answer.language),
      type: error.code === 'internal' ? 'internal_error' : ERROR_TABLE[error.code].type,
      ...particulars(error, answer),
    },
  }),
  native: (error, answer) => ({
    error: {
      code: error.httpStatus,
      message: say(error.failure.message, answer.language),
      status: ERROR_TABLE[error.code].textStatus,
      ...particulars(error, answer),
    },
  }),
  openai: (error, answer) => ({
    error: {
      message: say(error.failure.message, answer.language),
      type: openAiType(error.code),
      code: openAiCode(error.reason),
      ...particulars(error, answer),
      param: isBlamed(error.failure) ? error.failure.param : null,
      ...(error.taskId === undefined ? {} : { task_id: error.taskId }),
    },
  }),
  legacy: (error, answer) => ({
    code: legacyCode(error),
    description: say(error.failure.message, answer.language),
    failReason: say(error.failure.message, answer.language),
    result: null,
    properties: particulars(error, answer),
  }),
};

/** Fields for callers' programs: the reason, the field, further faults of the body, figures, and the request id to quote. */
function particulars({ failure, further, figures }: GatewayError, { language, requestId }: ErrorAnswer): object {
  const blamed = isBlamed(failure);
  const errors = [failure, ...further].filter(isBlamed).map((each) => ({
    param: each.param,
    reason: each.reason,
    message: say(each.message, language),
  }));
  return {
    reason: failure.reason,
    ...(blamed ? { param: failure.param } : {}),
    ...(blamed && LISTED.has(failure.reason) ? { errors } : {}),
    ...figures,
    request_id: requestId,
  };
}

/** Reasons for which a body is refused, field by field. */
const LISTED: ReadonlySet<Failure['reason']> = new Set([
  'missing_parameter',
  'invalid_parameter',
  'conflicting_parameters',
  'unsupported_parameter',
  'unknown_model',
  'bad_media',
]);

function isBlamed({ param }: Failure): boolean {
  return param !== undefined && param !== '';
}

export function errorBody(shape: ErrorShape, error: GatewayError, answer: ErrorAnswer): object {
  return BODIES[shape](error, answer);
}

/** The error as the last event of an answer. */
export function errorEvent(shape: ErrorShape, body: object): string {
  // Google's clients know no names of events.
  if (shape === 'native') return `data: ${JSON.stringify(body)}\r\n\r\n`;
  return `event: error\ndata: ${JSON.stringify({ type: 'error', ...body })}\n\n`;
}

const LEGACY_NOT_FOUND = 3;
const LEGACY_INVALID = 4;
const LEGACY_FAILURE = 9;
/** A review that was asked for refused the prompt. */
const LEGACY_BANNED = 24;

/** Clients of the legacy routes look at this number more than at the status. */
function legacyCode({ code, reason }: GatewayError): number {
  if (code === 'not_found') return LEGACY_NOT_FOUND;
  if (reason === 'content_policy') return LEGACY_BANNED;
  return ERROR_TABLE[code].type === 'invalid_request_error' ? LEGACY_INVALID : LEGACY_FAILURE;
}
