import type { ErrorDialect, VendorError } from '../error-dialect';
import { list, object, present, text } from '../json-guards';
import { openAiErrors } from '../openai-images/errors';

/**
 * `{error: {message, type, param, code}}` as the wire has it, or `{detail}` of the framework that the servers are made with: a
 * sentence, or a list of what is wrong with which field.
 */
export const openAiVideoErrors: ErrorDialect = {
  ...openAiErrors,
  read: (body, status) => openAiErrors.read(body, status) ?? detailIn(body),
  fields: {
    prompt: 'prompt',
    negative_prompt: 'negative_prompt',
    seconds: 'duration',
    size: 'resolution',
    seed: 'seed',
    generate_sound: 'audio',
  },
  own: ['model', 'fps'],
};

function detailIn(body: unknown): VendorError | undefined {
  const { detail } = object(body);
  const sentence = text(detail);
  if (sentence !== undefined) return { message: sentence };
  const [first] = list(detail) ?? [];
  const { loc, msg } = object(first);
  const message = text(msg);
  return message === undefined ? undefined : present<VendorError>({ message, param: text((list(loc) ?? []).at(-1)) });
}

/** In a job the error is its own, beside its status; only without one is the question refused. */
export const openAiVideoJobErrors: ErrorDialect = {
  ...openAiVideoErrors,
  read: (body, status) =>
    text(object(body)['status']) === undefined ? openAiVideoErrors.read(body, status) : undefined,
};
