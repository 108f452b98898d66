import type { ErrorDialect, VendorError } from '../error-dialect';
import { list, object, present, text } from '../json-guards';

/**
 * `{detail: {type, code, message, status, request_id, param}}`, of which older answers have `status` and `message` alone; of what
 * does not fit the schema a list, `{detail: [{loc, msg, type}]}`.
 */
function dialect(fields: ErrorDialect['fields'], own: ErrorDialect['own']): ErrorDialect {
  return {
    read: readError,
    rules: [
      { code: /\b(content_against_policy|bad_prompt|bad_composition_plan)\b/, fault: 'content_policy' },
      // Money and keys come under 400 and 401 too. The channel names voices and models, not the caller.
      { type: /^(payment_required|authentication_error|authorization_error)$/, fault: 'operator' },
      { code: /\b(quota_exceeded|insufficient_credits|invalid_api_key)\b/, fault: 'operator' },
      { code: /\b(voice_not_found|invalid_voice_id|invalid_uid)\b/, fault: 'operator', ofVoice: true },
      { code: /\b(model_not_found|unsupported_model|invalid_output_format)\b/, fault: 'operator', ofModel: true },
      { code: /\b(too_many_concurrent_requests|concurrent_limit_exceeded|system_busy)\b/, fault: 'rate_limited' },
    ],
    fields,
    own,
    requestIdHeader: 'request-id',
    requestIdOf: (body) => text(object(object(body)['detail'])['request_id']),
  };
}

export const speechErrors = dialect(
  { text: 'input', voice_id: 'voice', voice_settings: 'speed', output_format: 'response_format' },
  ['model_id'],
);

export const musicErrors = dialect(
  { prompt: 'prompt', music_length_ms: 'duration', force_instrumental: 'instrumental' },
  ['model_id', 'output_format'],
);

export const soundErrors = dialect({ text: 'prompt', duration_seconds: 'duration', loop: 'loop' }, [
  'model_id',
  'output_format',
]);

function readError(body: unknown): VendorError | undefined {
  const { detail } = object(body);
  const [finding] = list(detail) ?? [];
  if (finding !== undefined) return readFinding(finding);
  if (text(detail) !== undefined) return present<VendorError>({ message: text(detail) });
  const { type, code, status, message, param } = object(detail);
  const codes = new Set([text(code), text(status)].filter((word) => word !== undefined));
  const read = present<VendorError>({
    type: text(type),
    code: codes.size === 0 ? undefined : [...codes].join(' '),
    message: text(message),
    param: text(param),
  });
  return Object.keys(read).length === 0 ? undefined : read;
}

/** `{"loc": ["body", "voice_settings", "speed"], "msg": …, "type": …}`: the first step says where in the request. */
function readFinding(finding: unknown): VendorError {
  const { loc, msg, type } = object(finding);
  const path = (list(loc) ?? []).slice(1).filter((step) => typeof step === 'string');
  return present<VendorError>({
    type: text(type),
    message: text(msg),
    param: path.length === 0 ? undefined : path.join('.'),
  });
}
