import type { ErrorDialect, VendorError } from '../error-dialect';
import { fieldNamedIn } from '../error-dialect';
import { count, object, present, text } from '../json-guards';

const FIELDS = {
  prompt: 'prompt',
  duration: 'duration',
  resolution: 'resolution',
  prompt_optimizer: 'prompt_optimizer',
  fast_pretreatment: 'fast_pretreatment',
  first_frame_image: 'first_frame_image',
  last_frame_image: 'last_frame_image',
  aigc_watermark: 'watermark',
};

/** `{base_resp: {status_code, status_msg}}` under HTTP 200; 0 is success. */
export const miniMaxErrors: ErrorDialect = {
  read: readError,
  rules: [
    { code: /^(1026|1027)$/, fault: 'content_policy' },
    // Requests, connections, and their growth (platform.minimax.io/docs/api-reference/errorcode, November 2026).
    { code: /^(1002|1041|2045)$/, fault: 'rate_limited' },
    // Keys and money; 2056 is a plan whose window is used up, for hours.
    { code: /^(1004|1008|2049|2056)$/, fault: 'operator' },
    // The channel names the model, not the caller.
    { code: /^2013$/, message: /\bmodel\b/i, fault: 'operator', ofModel: true },
    { code: /^(1039|2013)$/, fault: 'bad_request' },
    { code: /^(1000|1001|1024|1033)$/, fault: 'upstream_fault' },
  ],
  fields: FIELDS,
  own: ['model'],
  requestIdHeader: 'trace-id',
};

/** Errors of a start, which cannot be looked up: the vendor does not know its outcome (1000) or did not wait for it (1001). */
export const miniMaxStartErrors: ErrorDialect = {
  ...miniMaxErrors,
  rules: [{ code: /^(1000|1001)$/, fault: 'outcome_unknown' }, ...miniMaxErrors.rules],
};

/** In an answer about a job the code may be the job's own, beside its status; only without one is the question refused. */
export const miniMaxQueryErrors: ErrorDialect = {
  ...miniMaxErrors,
  read: (body) => (text(object(body)['status']) === undefined ? readError(body) : undefined),
};

function readError(body: unknown): VendorError | undefined {
  const { status_code: statusCode, status_msg: message } = object(object(body)['base_resp']);
  const code = count(statusCode);
  if (code === undefined || code === 0) return undefined;
  const reported = text(message);
  return present<VendorError>({ code: String(code), message: reported, param: fieldNamedIn(reported, FIELDS) });
}
