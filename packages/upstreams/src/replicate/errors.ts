import type { ErrorDialect, VendorError } from '../error-dialect';
import { fieldNamedIn } from '../error-dialect';
import { list, object, present, text } from '../json-guards';

const FIELDS = {
  prompt: 'prompt',
  negative_prompt: 'negative_prompt',
  seed: 'seed',
  duration: 'duration',
  resolution: 'resolution',
  aspect_ratio: 'aspect_ratio',
  size: 'size',
  width: 'size',
  height: 'size',
  image: 'image_urls',
  image_input: 'image_urls',
  first_frame_image: 'first_frame_image',
  last_frame_image: 'last_frame_image',
};

/** `{title, detail, status, invalid_fields}` (replicate.com/docs, HTTP API; November 2026). */
export const replicateErrors: ErrorDialect = {
  read: (body, status) => (status < 300 ? undefined : readError(body)),
  rules: [
    { status: 422, message: /^invalid version|not permitted/i, fault: 'operator', ofModel: true },
    // A field that the template lacks or adds is no mistake of a caller's.
    { status: 422, message: /\bis required\b|additional propert/i, fault: 'operator', ofModel: true },
    { message: /\(E005\)|flagged as sensitive|nsfw|content policy/i, fault: 'content_policy' },
    { code: /^(failed|canceled)$/, fault: 'generation_failed' },
    // It ended before it began.
    { code: /^aborted$/, fault: 'upstream_fault' },
  ],
  fields: FIELDS,
  own: ['version', 'webhook', 'webhook_events_filter'],
};

function readError(body: unknown): VendorError | undefined {
  const { title, detail, invalid_fields: invalid } = object(body);
  const message = [text(title), text(detail)].filter(Boolean).join(': ');
  if (message === '') return undefined;
  const field = text(object(list(invalid)?.[0])['field'])?.replace(/^input\./, '');
  return present<VendorError>({ message, param: field ?? fieldNamedIn(text(detail), FIELDS) });
}
