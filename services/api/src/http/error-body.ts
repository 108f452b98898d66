import { ERROR_TABLE, type Failure, type GatewayError, openAiCode, openAiType } from '@mediagate/contracts';
import { type Language, say } from '@mediagate/languages';

/** How a family of routes words its errors. */
export type ErrorShape = 'standard' | 'imgtool' | 'legacy' | 'native' | 'openai';

type BodyOf = (error: GatewayError, language: Language) => object;

const BODIES: Record<ErrorShape, BodyOf> = {
  standard: (error, language) => ({
    error: {
      code: error.httpStatus,
      message: say(error.failure.message, language),
      type: ERROR_TABLE[error.code].type,
      ...particulars(error, language),
    },
  }),
  imgtool: (error, language) => ({
    error: {
      message: say(error.failure.message, language),
      type: error.code === 'internal' ? 'internal_error' : ERROR_TABLE[error.code].type,
      ...particulars(error, language),
    },
  }),
  native: (error, language) => ({
    error: {
      code: error.httpStatus,
      message: say(error.failure.message, language),
      status: ERROR_TABLE[error.code].textStatus,
      ...particulars(error, language),
    },
  }),
  openai: (error, language) => ({
    error: {
      message: say(error.failure.message, language),
      type: openAiType(error.code),
      code: openAiCode(error.reason),
      ...particulars(error, language),
      param: isBlamed(error.failure) ? error.failure.param : null,
      ...(error.taskId === undefined ? {} : { task_id: error.taskId }),
    },
  }),
  legacy: (error, language) => ({
    code: legacyCode(error),
    description: say(error.failure.message, language),
    result: null,
    properties: particulars(error, language),
  }),
};

/** What callers' programs go by: why, which field, what else is wrong with the body, and figures. */
function particulars({ failure, further, figures }: GatewayError, language: Language): object {
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

export function errorBody(shape: ErrorShape, error: GatewayError, language: Language): object {
  return BODIES[shape](error, language);
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
