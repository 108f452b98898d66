import { isJsonObject } from '@mediagate/contracts';
import type { ErrorDialect, ErrorRule, VendorError } from '../error-dialect';
import { list, object, present, text } from '../json-guards';

/**
 * A model's error is `{detail: [{loc, msg, type}]}`; the queue's is `{detail, error_type}` with a sentence as `detail`
 * (fal.ai/docs, Errors and Request errors, November 2026). A success holds the model's own fields, and no error.
 */
export const falErrors: ErrorDialect = {
  read: (body, status) => (status < 300 ? undefined : readError(body)),
  rules: [
    { code: /^content_policy_violation$/, fault: 'content_policy' },
    { code: /^(client_cancelled|no_media_generated)$/, fault: 'generation_failed' },
    // Infrastructure, and the vendors behind this one: they are not charged for.
    { code: /^(request|startup|generation)_timeout$/, fault: 'upstream_fault' },
    { code: /^(runner_|internal_|downstream_service_)/, fault: 'upstream_fault' },
    // A field that the template lacks, or has in another type, is no mistake of a caller's.
    { code: /^(missing|extra_forbidden|[a-z]+_(type|parsing))$/, fault: 'operator', ofModel: true },
    { status: 404, fault: 'operator', ofModel: true },
  ],
  fields: {
    prompt: 'prompt',
    negative_prompt: 'negative_prompt',
    seed: 'seed',
    duration: 'duration',
    resolution: 'resolution',
    aspect_ratio: 'aspect_ratio',
    image_size: 'size',
    num_images: 'n',
    image_url: 'image_urls',
    image_urls: 'image_urls',
    start_image_url: 'first_frame_image',
    end_image_url: 'last_frame_image',
  },
  own: [],
  requestIdHeader: 'x-fal-request-id',
};

/** Statuses that refuse the question and say nothing of the job. */
const OF_THE_QUESTION: ReadonlySet<number> = new Set([401, 402, 403, 408, 425, 429]);

/**
 * Errors in the answer about a complete job, where the vendor keeps the job's error. A 5xx without the vendor's words comes from a
 * gateway and is about the question alone. Words that a gateway may also use of itself are `outcome_unknown`.
 */
export const falResultErrors: ErrorDialect = {
  ...falErrors,
  read(body, status) {
    const error = OF_THE_QUESTION.has(status) ? undefined : falErrors.read(body, status);
    if (status >= 500) return error?.code === undefined ? undefined : error;
    // The job asked for a path that its application does not have; any other 404 is about the question.
    return status === 404 && !/^path\b.*\bnot found/i.test(error?.message ?? '') ? undefined : error;
  },
  rules: [
    { code: /^(runner_|startup_timeout$|generation_timeout$|downstream_service_)/, fault: 'upstream_fault' },
    ...[500, 502, 503, 504].map((status): ErrorRule => ({ status, fault: 'outcome_unknown' })),
    ...falErrors.rules,
  ],
};

/** Errors of a cancellation: `{status}`, where the job is over or gone. */
export const falCancelErrors: ErrorDialect = {
  ...falErrors,
  read: (body, status) => {
    const word = text(object(body)['status']);
    return word === undefined || status < 300 ? falErrors.read(body, status) : { code: word };
  },
  rules: [{ code: /^(ALREADY_COMPLETED|NOT_FOUND)$/, fault: 'bad_request' }, ...falErrors.rules],
};

function readError(body: unknown): VendorError | undefined {
  const { detail, error_type: type } = object(body);
  const [first] = list(detail) ?? [];
  if (isJsonObject(first)) {
    const { loc, msg, type: kind } = first;
    return present<VendorError>({ code: text(kind), message: text(msg), param: fieldOf(loc) });
  }
  const [code, message] = [text(type), text(detail)];
  return code === undefined && message === undefined ? undefined : present<VendorError>({ code, message });
}

/** `["body", "image_urls", 0]` is the first image. */
function fieldOf(location: unknown): string | undefined {
  return text((list(location) ?? []).filter((part) => part !== 'body')[0]);
}
