import { ERROR_TABLE, type ErrorCode } from './error-table';
import type { Reason } from './reasons';

/**
 * The `type` of an error under `/openai`, where it is another than the specification's own. Clients of that interface tell an
 * empty account from a rush by it, and take everything that is wrong with a request for one kind.
 */
const TYPES: Partial<Record<ErrorCode, string>> = {
  insufficient_balance: 'insufficient_quota',
  not_found: 'invalid_request_error',
  gone: 'invalid_request_error',
  upstream_unreachable: 'server_error',
  still_running: 'server_error',
};

/** The `code` of an error there, where those clients know another word than the reason. */
const CODES: Partial<Record<Reason, string>> = {
  unauthenticated: 'invalid_api_key',
  insufficient_balance: 'insufficient_quota',
  unknown_model: 'model_not_found',
  rate_limited: 'rate_limit_exceeded',
  content_policy: 'content_policy_violation',
};

export function openAiType(code: ErrorCode): string {
  return TYPES[code] ?? ERROR_TABLE[code].type;
}

export function openAiCode(reason: Reason): string {
  return CODES[reason] ?? reason;
}
