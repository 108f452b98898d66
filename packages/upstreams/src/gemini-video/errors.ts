import { isJsonObject } from '@mediagate/contracts';
import { type ErrorDialect, fieldNamedIn, type VendorError } from '../error-dialect';
import { geminiErrors } from '../gemini-errors';
import { object, present, text } from '../json-guards';

/** By the vendor's name, as its sentences have it between backticks. */
const FIELDS = {
  prompt: 'prompt',
  negativePrompt: 'negative_prompt',
  aspectRatio: 'aspect_ratio',
  resolution: 'resolution',
  durationSeconds: 'duration',
};

/** Videos belong to the same API as texts and images: one dialect, with the fields of videos. */
export const geminiVideoErrors: ErrorDialect = {
  ...geminiErrors,
  read(body, status) {
    const error = geminiErrors.read(body, status);
    return error && present<VendorError>({ ...error, param: fieldNamedIn(error.message, FIELDS) });
  },
  rules: [
    // A prompt that breaks the vendor's policy is refused as any bad argument, and only the sentence says why.
    { code: /^INVALID_ARGUMENT$/, message: /\bResponsible AI\b|\bviolates?\b|\bsafety\b/i, fault: 'content_policy' },
    ...geminiErrors.rules,
    // Under 400 this goes without saying; an operation that is done has no status of its own.
    { code: /^INVALID_ARGUMENT$/, fault: 'bad_request' },
  ],
  fields: FIELDS,
  own: ['personGeneration', 'sampleCount'],
};

/** The error of an operation has the number of `google.rpc.Code` and no word (google/rpc/code.proto). */
const CODES: Readonly<Record<number, string>> = {
  1: 'CANCELLED',
  3: 'INVALID_ARGUMENT',
  4: 'DEADLINE_EXCEEDED',
  8: 'RESOURCE_EXHAUSTED',
  9: 'FAILED_PRECONDITION',
  13: 'INTERNAL',
  14: 'UNAVAILABLE',
};

/** In an operation that is done the error is the job's own; elsewhere the question is refused. */
export const geminiOperationErrors: ErrorDialect = {
  ...geminiVideoErrors,
  read: (body, status) => (object(body)['done'] === true ? undefined : geminiVideoErrors.read(body, status)),
};

/** The error of an operation that is done; undefined: it did not fail. */
export function errorOf(operation: unknown): VendorError | undefined {
  const { error } = object(operation);
  if (!isJsonObject(error)) return undefined;
  const { code, status } = error;
  const word = text(status) ?? (typeof code === 'number' ? CODES[code] : undefined);
  return geminiVideoErrors.read({ error: present({ ...error, status: word }) }, 200);
}
