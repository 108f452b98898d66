import { ERROR_TABLE, type ErrorCode, type GatewayError } from '@mediagate/contracts';

/** How a family of routes words its errors. */
export type ErrorShape = 'standard' | 'imgtool' | 'legacy' | 'native';

const BODIES: Record<ErrorShape, (error: GatewayError) => object> = {
  standard: (error) => ({
    error: { code: error.httpStatus, message: error.message, type: ERROR_TABLE[error.code].type },
  }),
  imgtool: (error) => ({
    error: {
      message: error.message,
      type: error.code === 'internal' ? 'internal_error' : ERROR_TABLE[error.code].type,
    },
  }),
  native: (error) => ({
    error: { code: error.httpStatus, message: error.message, status: ERROR_TABLE[error.code].textStatus },
  }),
  legacy: (error) => ({ code: legacyCode(error.code), description: error.message, result: null, properties: {} }),
};

export function errorBody(shape: ErrorShape, error: GatewayError): object {
  return BODIES[shape](error);
}

const LEGACY_NOT_FOUND = 3;
const LEGACY_INVALID = 4;
const LEGACY_FAILURE = 9;

/** Clients of the legacy routes look at this number more than at the status. */
function legacyCode(code: ErrorCode): number {
  if (code === 'not_found') return LEGACY_NOT_FOUND;
  return ERROR_TABLE[code].type === 'invalid_request_error' ? LEGACY_INVALID : LEGACY_FAILURE;
}
