/**
 * Every error a caller can meet, by code. `type` is the specification's word. A route family turns an entry into its own
 * body shape (the image tool drops `code`, the text endpoint uses `textStatus`), so nobody else switches on a code.
 */
export const ERROR_TABLE = {
  invalid_request: { httpStatus: 400, type: 'invalid_request_error', textStatus: 'INVALID_ARGUMENT' },
  authentication: { httpStatus: 401, type: 'authentication_error', textStatus: 'UNAUTHENTICATED' },
  insufficient_balance: { httpStatus: 402, type: 'payment_required', textStatus: 'PAYMENT_REQUIRED' },
  permission: { httpStatus: 403, type: 'permission_error', textStatus: 'PERMISSION_DENIED' },
  not_found: { httpStatus: 404, type: 'not_found', textStatus: 'NOT_FOUND' },
  method_not_allowed: { httpStatus: 405, type: 'invalid_request_error', textStatus: 'INVALID_ARGUMENT' },
  idempotency_conflict: { httpStatus: 409, type: 'invalid_request_error', textStatus: 'INVALID_ARGUMENT' },
  gone: { httpStatus: 410, type: 'not_found', textStatus: 'NOT_FOUND' },
  body_too_large: { httpStatus: 413, type: 'invalid_request_error', textStatus: 'INVALID_ARGUMENT' },
  unsupported_media_type: { httpStatus: 415, type: 'invalid_request_error', textStatus: 'INVALID_ARGUMENT' },
  range_not_satisfiable: { httpStatus: 416, type: 'invalid_request_error', textStatus: 'INVALID_ARGUMENT' },
  conflicting_parameters: { httpStatus: 422, type: 'invalid_request_error', textStatus: 'INVALID_ARGUMENT' },
  rate_limited: { httpStatus: 429, type: 'rate_limit_error', textStatus: 'RESOURCE_EXHAUSTED' },
  internal: { httpStatus: 500, type: 'server_error', textStatus: 'INTERNAL' },
  upstream_unreachable: { httpStatus: 502, type: 'bad_gateway', textStatus: 'BAD_GATEWAY' },
  unavailable: { httpStatus: 503, type: 'server_error', textStatus: 'UNAVAILABLE' },
} as const;

export type ErrorCode = keyof typeof ERROR_TABLE;

export interface GatewayErrorOptions {
  /** Path of the body field at fault, for example `image_urls[0]`. */
  param?: string;
  /** Seconds after which trying again is sensible. */
  retryAfterSeconds?: number;
  /** For the log only. */
  internal?: string;
  cause?: unknown;
}

/** An error whose `message` is fit for a caller's eyes. What is not goes into `internal` and `cause`. */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly internal: string | undefined;

  constructor(code: ErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'GatewayError';
    this.code = code;
    this.param = options.param;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.internal = options.internal;
  }

  get httpStatus(): number {
    return ERROR_TABLE[this.code].httpStatus;
  }
}
