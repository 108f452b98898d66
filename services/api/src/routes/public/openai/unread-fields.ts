import { warnOfUnknownFields } from '@mediagate/catalog';
import { isJsonObject, type Json, type JsonObject, type Message } from '@mediagate/contracts';
import type { FieldReader } from './field-reader';

/** Values by which clients ask for nothing special of a field that is not read. */
const PLAIN: Readonly<Record<string, readonly Json[]>> = {
  background: [false],
  logprobs: [false],
  min_p: [0],
  repeat_penalty: [1],
  repetition_penalty: [1],
  store: [false],
  top_logprobs: [0],
  truncation: ['disabled'],
};
/** Other APIs' names for the longest answer, which the price depends on. */
const LENGTH_NAMES = new Set([
  'maxCompletionTokens',
  'maxOutputTokens',
  'maxTokens',
  'max_completion_tokens',
  'max_length',
  'max_new_tokens',
  'max_output_tokens',
  'max_tokens',
  'max_tokens_to_sample',
  'n_predict',
  'num_predict',
]);
/** Nothing is kept of what was said before: an answer that knows nothing of it would be another one. Nor is anything answered later. */
const STORED_NAMES = new Set(['conversation', 'previous_response_id', 'prompt']);
/** Texts have no review: whoever asks for one would get, and pay for, a text that nobody has reviewed. */
const REVIEW_NAMES = new Set(['nsfw_check', 'nsfwCheck']);

/**
 * Fields that are not read: they are ignored with a warning. Refused are those without which other work would be made, and paid for:
 * several choices, an answer in sound, a review, what was said before, and a limit of its length or cost.
 *
 * @param length the field that limits the length of the answer.
 */
export function warnOfUnread(unread: JsonObject, length: string, fields: FieldReader): Message[] {
  const ignored: JsonObject = {};
  for (const [name, value] of Object.entries(unread)) {
    if (LENGTH_NAMES.has(name)) fields.otherName(name, length);
    else if (name === 'maxCost') fields.otherName(name, 'max_cost');
    else if (REVIEW_NAMES.has(name)) refuseReview(name, value as Json, fields);
    else if (name === 'n' || name === 'modalities') refuseOther(name, value as Json, fields);
    else if (isPlain(name, value as Json)) continue;
    else if (STORED_NAMES.has(name)) fields.notStored(name);
    else if (name === 'background') fields.unsupported(name);
    else ignored[name] = null;
  }
  return warnOfUnknownFields(ignored);
}

function refuseReview(name: string, value: Json, fields: FieldReader): void {
  if (value !== false) fields.unsupported(name);
}

function refuseOther(name: 'n' | 'modalities', value: Json, fields: FieldReader): void {
  const isTaken = name === 'n' ? value === 1 : JSON.stringify(value) === '["text"]';
  if (!isTaken) fields.unsupported(name);
}

function isPlain(name: string, value: Json): boolean {
  if (Object.hasOwn(PLAIN, name)) return PLAIN[name]?.includes(value) ?? false;
  return name === 'logit_bias' && isJsonObject(value) && Object.keys(value).length === 0;
}
