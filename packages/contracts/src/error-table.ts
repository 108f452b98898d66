import type { Reason } from './reasons';

interface ErrorEntry {
  httpStatus: number;
  type: string;
  textStatus: string;
  /** The reasons that such an answer may give. The first counts where the place that raises the error names none. */
  reasons: readonly [Reason, ...Reason[]];
}

/**
 * Every error a caller can meet, by code. `type` is the specification's word. A route family turns an entry into its own
 * body shape (the image tool drops `code`, the text endpoint uses `textStatus`), so nobody else switches on a code.
 */
export const ERROR_TABLE = {
  invalid_request: {
    httpStatus: 400,
    type: 'invalid_request_error',
    textStatus: 'INVALID_ARGUMENT',
    reasons: [
      'invalid_request',
      'missing_parameter',
      'invalid_parameter',
      'conflicting_parameters',
      'unsupported_parameter',
      'unknown_model',
      'test_unavailable',
      'bad_media',
      'content_policy',
    ],
  },
  authentication: {
    httpStatus: 401,
    type: 'authentication_error',
    textStatus: 'UNAUTHENTICATED',
    reasons: ['unauthenticated', 'key_revoked', 'key_expired'],
  },
  insufficient_balance: {
    httpStatus: 402,
    type: 'payment_required',
    textStatus: 'PAYMENT_REQUIRED',
    reasons: ['insufficient_balance', 'max_cost_exceeded'],
  },
  permission: {
    httpStatus: 403,
    type: 'permission_error',
    textStatus: 'PERMISSION_DENIED',
    reasons: ['permission_denied', 'key_not_permitted', 'account_suspended', 'account_closed'],
  },
  not_found: {
    httpStatus: 404,
    type: 'not_found',
    textStatus: 'NOT_FOUND',
    reasons: ['not_found', 'unknown_model'],
  },
  method_not_allowed: {
    httpStatus: 405,
    type: 'invalid_request_error',
    textStatus: 'INVALID_ARGUMENT',
    reasons: ['method_not_allowed'],
  },
  request_timeout: {
    httpStatus: 408,
    type: 'invalid_request_error',
    textStatus: 'DEADLINE_EXCEEDED',
    reasons: ['request_timeout'],
  },
  idempotency_conflict: {
    httpStatus: 409,
    type: 'invalid_request_error',
    textStatus: 'INVALID_ARGUMENT',
    reasons: ['idempotency_conflict'],
  },
  conflict: {
    httpStatus: 409,
    type: 'invalid_request_error',
    textStatus: 'INVALID_ARGUMENT',
    reasons: [
      'callback_pending',
      'secret_overlapping',
      'not_cancellable',
      'already_done',
      'too_many_keys',
      'too_many_targets',
      'wrong_state',
      'account_closed',
      'direct_upload_unavailable',
      'upload_missing',
    ],
  },
  gone: {
    httpStatus: 410,
    type: 'not_found',
    textStatus: 'NOT_FOUND',
    reasons: ['link_expired'],
  },
  body_too_large: {
    httpStatus: 413,
    type: 'invalid_request_error',
    textStatus: 'INVALID_ARGUMENT',
    reasons: ['payload_too_large'],
  },
  unsupported_media_type: {
    httpStatus: 415,
    type: 'invalid_request_error',
    textStatus: 'INVALID_ARGUMENT',
    reasons: ['unsupported_media_type'],
  },
  range_not_satisfiable: {
    httpStatus: 416,
    type: 'invalid_request_error',
    textStatus: 'INVALID_ARGUMENT',
    reasons: ['range_not_satisfiable'],
  },
  conflicting_parameters: {
    httpStatus: 422,
    type: 'invalid_request_error',
    textStatus: 'INVALID_ARGUMENT',
    reasons: ['conflicting_parameters'],
  },
  rate_limited: {
    httpStatus: 429,
    type: 'rate_limit_error',
    textStatus: 'RESOURCE_EXHAUSTED',
    reasons: ['rate_limited'],
  },
  internal: {
    httpStatus: 500,
    type: 'server_error',
    textStatus: 'INTERNAL',
    reasons: ['internal_error'],
  },
  upstream_unreachable: {
    httpStatus: 502,
    type: 'bad_gateway',
    textStatus: 'BAD_GATEWAY',
    reasons: [
      'upstream_error',
      'no_upstream',
      'outcome_unknown',
      'result_unavailable',
      'timeout',
      'review_unavailable',
    ],
  },
  unavailable: {
    httpStatus: 503,
    type: 'server_error',
    textStatus: 'UNAVAILABLE',
    reasons: ['service_unavailable', 'no_upstream', 'cancelled', 'expired_before_start'],
  },
  still_running: {
    httpStatus: 504,
    type: 'server_error',
    textStatus: 'DEADLINE_EXCEEDED',
    reasons: ['still_running'],
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

export type ErrorCode = keyof typeof ERROR_TABLE;

/** Requests that are not valid HTTP are answered before there is a route, with a status that none of the errors has. */
export const EARLY_STATUSES: Readonly<Record<number, Reason>> = {
  417: 'invalid_request',
  431: 'payload_too_large',
};
