import { ERROR_TABLE, type GatewayError } from '@mediagate/contracts';

/** How a family of routes words its errors. */
export type ErrorShape = 'standard';

const BODIES: Record<ErrorShape, (error: GatewayError) => object> = {
  standard: (error) => ({
    error: { code: error.httpStatus, message: error.message, type: ERROR_TABLE[error.code].type },
  }),
};

export function errorBody(shape: ErrorShape, error: GatewayError): object {
  return BODIES[shape](error);
}
