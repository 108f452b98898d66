import type { ErrorDialect, VendorError } from '../error-dialect';
import { fieldNamedIn } from '../error-dialect';
import { object, present, text } from '../json-guards';

const FIELDS = {
  prompt: 'prompt',
  negative_prompt: 'negative_prompt',
  img_url: 'image_urls',
  audio_url: 'audio_url',
  media: 'image_urls',
  size: 'aspect_ratio',
  ratio: 'aspect_ratio',
  resolution: 'resolution',
  duration: 'duration',
  seed: 'seed',
};

/** `{code, message, request_id}` with codes as `Class.Detail`; the same pair is in the `output` of a failed task. */
export const dashScopeErrors: ErrorDialect = {
  read: readError,
  rules: [
    { code: /^(DataInspection|IPInfringement)/i, fault: 'content_policy' },
    // A plan's quota for some hours, a week or a month is used up; the code is that of a minute's throttle.
    { message: /\b(hour|week|month) allocated quota exceeded/i, fault: 'operator' },
    { code: /^Throttling(\.|$)/, fault: 'rate_limited' },
    // Money and rights, which come under 400, 403 and 429 with other things (help.aliyun.com/en/model-studio/error-code, 2026).
    { code: /^(Arrearage|CommodityNotPurchased|P(re|ost)paidBillOverdue|BudgetLimitExceeded)/, fault: 'operator' },
    { code: /^(InvalidApiKey|AccessDenied|AllocationQuota)/, fault: 'operator' },
    { code: /^(Model\.AccessDenied|ModelNotFound)/, fault: 'operator', ofModel: true },
    // The channel names the model, not the caller.
    { code: /^InvalidParameter/, message: /^model\b.*\bnot exist/i, fault: 'operator', ofModel: true },
    { code: /^(InvalidParameter|InvalidURL|UnsupportedOperation)/, fault: 'bad_request' },
    { code: /^InternalError(\.|$)/, fault: 'upstream_fault' },
  ],
  fields: FIELDS,
  own: ['model'],
  requestIdHeader: 'x-request-id',
  requestIdOf: (body) => text(object(body)['request_id']),
};

function readError(body: unknown): VendorError | undefined {
  const { code, message } = object(body);
  const word = text(code);
  if (word === undefined) return undefined;
  const reported = text(message);
  return present<VendorError>({ code: word, message: reported, param: fieldNamedIn(reported, FIELDS) });
}
