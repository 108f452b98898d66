import type { ErrorDialect, VendorError } from '../error-dialect';
import { object, present, text } from '../json-guards';

/** `{error: {message, type, param, code}}`; the SDK reads the same, and the image API has no other. */
export const openAiErrors: ErrorDialect = {
  read: readError,
  rules: [
    { code: /^(moderation_blocked|content_policy_violation)$/, fault: 'content_policy' },
    { message: /safety_violations=/, fault: 'content_policy' },
    // Money and keys come under 400 and 429 too, where the status would blame the caller or a passing rush.
    { code: /^(insufficient_quota|billing_hard_limit_reached|billing_not_active)$/, fault: 'operator' },
    { type: /^insufficient_quota$/, fault: 'operator' },
    { code: /^(invalid_api_key|account_deactivated)$/, fault: 'operator' },
    { code: /^model_not_found$/, fault: 'operator', ofModel: true },
    { code: /^rate_limit_exceeded$/, fault: 'rate_limited' },
  ],
  fields: {
    prompt: 'prompt',
    n: 'n',
    size: 'size',
    quality: 'quality',
    background: 'background',
    output_format: 'output_format',
    output_compression: 'output_compression',
    moderation: 'moderation',
    image: 'image_urls',
    images: 'image_urls',
    mask: 'mask_url',
  },
  own: ['model'],
  requestIdHeader: 'x-request-id',
};

function readError(body: unknown): VendorError | undefined {
  const { error } = object(body);
  if (text(error) !== undefined) return present<VendorError>({ message: text(error) });
  const { message, type, param, code } = object(error);
  const read = { message: text(message), type: text(type), param: text(param), code: text(code) };
  return (read.message ?? read.type ?? read.code) ? present<VendorError>(read) : undefined;
}
