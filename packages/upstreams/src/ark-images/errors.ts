import { isJsonObject } from '@mediagate/contracts';
import type { ErrorDialect, VendorError } from '../error-dialect';
import { object, present, text } from '../json-guards';

/** `{error: {code, message, param, type}}`, with codes as `Class.Detail`; also inside an item of a successful answer. */
export const arkErrors: ErrorDialect = {
  read: readError,
  rules: [
    { code: /SensitiveContentDetected/, fault: 'content_policy' },
    { code: /^(AccountOverdueError|OperationDenied\.ServiceOverdue)$/, fault: 'operator' },
    // AccountQuotaExceeded: what a plan grants for some hours, a week or a month (as its subscribers quote it, 2026).
    { code: /^((Account)?QuotaExceeded|SetLimitExceeded)(\.|$)/, fault: 'operator' },
    { code: /^(AuthenticationError|AccessDenied)(\.|$)/, fault: 'operator' },
    { code: /^(ModelNotOpen|UnsupportedModel)(\.|$)/, fault: 'operator', ofModel: true },
    // Under 400 as well as 404: an endpoint of ours that was closed or never was.
    { code: /^InvalidEndpoint/, fault: 'operator', ofModel: true },
    { code: /^(RateLimitExceeded|ServerOverloaded|RequestBurstTooFast)(\.|$)/, fault: 'rate_limited' },
    { code: /^InternalServiceError(\.|$)/, fault: 'upstream_fault' },
  ],
  fields: { prompt: 'prompt', size: 'size', image: 'image_urls', watermark: 'watermark' },
  own: ['model', 'response_format'],
  requestIdHeader: 'x-request-id',
};

function readError(body: unknown): VendorError | undefined {
  const { error } = object(body);
  if (!isJsonObject(error)) return undefined;
  const { code, message, param, type } = error;
  return present<VendorError>({ code: text(code), message: text(message), param: text(param), type: text(type) });
}
