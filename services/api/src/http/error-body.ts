import { ERROR_TABLE, type GatewayError, type Reason } from '@mediagate/contracts';

/** How a family of routes words its errors. */
export type ErrorShape = 'standard' | 'imgtool' | 'legacy' | 'native';

const BODIES: Record<ErrorShape, (error: GatewayError) => object> = {
  standard: (error) => ({
    error: { code: error.httpStatus, message: error.message, type: ERROR_TABLE[error.code].type, ...blame(error) },
  }),
  imgtool: (error) => ({
    error: {
      message: error.message,
      type: error.code === 'internal' ? 'internal_error' : ERROR_TABLE[error.code].type,
      ...blame(error),
    },
  }),
  native: (error) => ({
    error: {
      code: error.httpStatus,
      message: error.message,
      status: ERROR_TABLE[error.code].textStatus,
      ...blame(error),
    },
  }),
  legacy: (error) => ({
    code: legacyCode(error),
    description: error.message,
    result: null,
    properties: blame(error),
  }),
};

/** What callers' programs go by. */
function blame({ reason, param }: GatewayError): { reason: Reason; param?: string } {
  return param === undefined || param === '' ? { reason } : { reason, param };
}

export function errorBody(shape: ErrorShape, error: GatewayError): object {
  return BODIES[shape](error);
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
