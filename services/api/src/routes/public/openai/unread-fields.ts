import {
  CALLBACK_FIELDS,
  createUnreadFinder,
  ELSEWHERE,
  isSent,
  plainName,
  type UnreadField,
  warnOfUnknownFields,
} from '@mediagate/catalog';
import { isJsonObject, type Json, type JsonObject, type Message } from '@mediagate/contracts';
import type { FieldReader } from './field-reader';

/** Values, as JSON, by which clients ask for nothing special of a field that is not read. */
const PLAIN = inPlainNames<readonly Json[]>({
  background: [false],
  logit_bias: [{}],
  logprobs: [false],
  min_p: [0],
  modalities: [['text']],
  n: [1],
  nsfw_check: [false],
  repeat_penalty: [1],
  reasoning: [{}],
  repetition_penalty: [1],
  store: [false],
  thinking: [{}],
  top_logprobs: [0],
  truncation: ['disabled'],
});

type Refuse = 'unsupported' | 'notStored' | { otherName: string } | OnlyValue;

/** The only value of the field, as JSON, and the demand of its type: the same in quotes reads like it. */
interface OnlyValue {
  value: string;
  type: 'must_be_boolean' | 'must_be_number' | 'must_be_array';
}

/** Without these another text would be made, and paid for. */
const REFUSED = inPlainNames<Refuse>({
  // Nothing is kept of what was said before: an answer that knows nothing of it would be another one. Nor is anything answered later.
  conversation: 'notStored',
  previous_response_id: 'notStored',
  prompt: 'notStored',
  background: { value: 'false', type: 'must_be_boolean' },
  n: { value: '1', type: 'must_be_number' },
  modalities: { value: '["text"]', type: 'must_be_array' },
  // Texts have no review, and their callers wait for the answer: nobody is called back.
  nsfw_check: 'unsupported',
  ...Object.fromEntries(['webhook', ...CALLBACK_FIELDS].map((name) => [name, 'unsupported' as const])),
  ...Object.fromEntries(Object.entries(ELSEWHERE).map(([name, otherName]) => [name, { otherName }])),
  // Older clients' words are read in their own spelling.
  functions: { otherName: 'tools' },
  function_call: { otherName: 'tool_choice' },
});
const OLDER_SPELLINGS = ['functions', 'function_call'];
/** Other APIs' names for the longest answer, which the price depends on. */
const LENGTH_NAMES: ReadonlySet<string> = new Set(
  [
    'max_completion_tokens',
    'max_length',
    'max_new_tokens',
    'max_output_tokens',
    'max_tokens',
    'max_tokens_to_sample',
    'n_predict',
    'num_predict',
  ].map(plainName),
);
/** Other APIs' names for how much a model thinks, which is charged as output. */
const THINKING_NAMES: ReadonlySet<string> = new Set(
  [
    'budget_tokens',
    'max_thinking_tokens',
    'reasoning',
    'reasoning_budget',
    'reasoning_effort',
    'thinking',
    'thinking_budget',
    'thinking_config',
    'thinking_level',
  ].map(plainName),
);

/** Names of fields, as the surface has them. */
interface OwnNames {
  /** Limits the length of the answer. */
  length: string;
  /** Says how much the model thinks. */
  thinking: string;
  /** Has what is asked. */
  asked: string;
}

/**
 * Judges the fields that are not read: they are ignored with a warning. Refused are those without which other work would be made, and
 * paid for: at every depth another spelling of a field; at the top several choices, an answer in sound, a review, what was said before,
 * a limit of the answer's length, and how much the model thinks.
 */
export function createUnreadJudge(
  schema: JsonObject,
  names: OwnNames,
): (sent: JsonObject, fields: FieldReader) => Message[] {
  const findUnread = createUnreadFinder(schema);
  return (sent, fields) => {
    const ignored: string[] = [];
    for (const unread of findUnread(sent)) {
      if (isPlain(unread)) continue;
      const refused = refusalOf(unread, names);
      if (refused === undefined) ignored.push(unread.field);
      else if (refused === 'unsupported') fields.unsupported(unread.field);
      else if (refused === 'notStored') fields.notStored(unread.field, names.asked);
      else if ('value' in refused) refuseValue(unread, refused, fields);
      else fields.otherName(unread.field, refused.otherName);
    }
    return warnOfUnknownFields(ignored);
  };
}

function refuseValue({ field, value }: UnreadField, only: OnlyValue, fields: FieldReader): void {
  if (value === only.value) fields.invalid(field, only.type);
  else fields.invalid(field, 'must_be', { values: only.value });
}

function isPlain({ name, value }: UnreadField): boolean {
  return PLAIN.get(plainName(name))?.some((plain) => JSON.stringify(plain) === JSON.stringify(value)) ?? false;
}

function refusalOf(
  { name, value, isTop, other }: UnreadField,
  { length, thinking, asked }: OwnNames,
): Refuse | undefined {
  if (isTop && LENGTH_NAMES.has(plainName(name))) return { otherName: length };
  if (!isSent({ [name]: value }, name) || isOff(value)) return undefined;
  if (isTop && THINKING_NAMES.has(plainName(name))) return { otherName: thinking };
  if (other !== undefined) return { otherName: other };
  // A text; by an object, a client of responses refers to a prompt that is stored.
  if (isTop && name === 'prompt' && typeof value === 'string') return { otherName: asked };
  return isTop && !OLDER_SPELLINGS.includes(name) ? REFUSED.get(plainName(name)) : undefined;
}

/** `{"type": "disabled"}`: what a client says to every model whose thinking it does not want, as Dify at its trial of a key. */
function isOff(value: Json): boolean {
  return isJsonObject(value) && value['type'] === 'disabled';
}

function inPlainNames<Value>(values: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(values).map(([name, value]) => [plainName(name), value]));
}
