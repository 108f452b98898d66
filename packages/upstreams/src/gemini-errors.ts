import { isJsonObject } from '@mediagate/contracts';
import type { ErrorDialect, VendorError } from './error-dialect';
import { list, object, present, text } from './json-guards';
import { retryAfterFromDuration } from './retry-after';

/** `{error: {code, message, status, details[]}}`, Google's common error; `status` is the word to go by. */
export const geminiErrors: ErrorDialect = {
  read: readError,
  rules: [
    { reasons: /\bAPI_KEY_INVALID\b/, fault: 'operator' },
    { message: /\bAPI key (not valid|expired|not found)\b/i, fault: 'operator' },
    // Billing not enabled, or a country that the vendor does not serve: about our account, under 400.
    { code: /^FAILED_PRECONDITION$/, fault: 'operator' },
    // Prepaid money is used up: 402 as announced in 2026 (https://discuss.ai.google.dev/t/183654), 429 before that.
    { status: 402, fault: 'operator' },
    { code: /^RESOURCE_EXHAUSTED$/, message: /\bprepa(id|y|yment)\b/i, fault: 'operator' },
    // A quota of the day does not come back within any task's deadline.
    { code: /^RESOURCE_EXHAUSTED$/, reasons: /PerDay/, fault: 'operator' },
    { code: /^RESOURCE_EXHAUSTED$/, fault: 'rate_limited' },
    // The vendor's own word that it gave up, unlike a proxy's bare 504.
    { code: /^(DEADLINE_EXCEEDED|CANCELLED|INTERNAL)$/, fault: 'upstream_fault' },
    { code: /^UNAVAILABLE$/, fault: 'not_accepted' },
  ],
  fields: {},
  own: [],
};

function readError(body: unknown): VendorError | undefined {
  const { error } = object(body);
  if (!isJsonObject(error)) return undefined;
  const details = (list(error['details']) ?? []).map(object);
  const reasons = details.flatMap((detail) => [
    text(detail['reason']),
    ...(list(detail['violations']) ?? []).map((violation) => text(object(violation)['quotaId'])),
  ]);
  const retryAfterMs = details.map(({ retryDelay }) => retryAfterFromDuration(retryDelay)).find(Number.isFinite);
  return present<VendorError>({
    code: text(error['status']),
    message: text(error['message']),
    reasons: reasons.filter(Boolean).join(' ') || undefined,
    retryAfterMs,
  });
}
