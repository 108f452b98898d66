import { TEXT_LISTS } from '@mediagate/catalog';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Message,
  oneOfEachField,
  refusedBody,
} from '@mediagate/contracts';
import type { MaxCost } from '../../../use-cases/max-cost';
import { FieldReader } from './chat-fields';
import { readMessages } from './chat-messages';
import { readTools } from './chat-tools';
import { type ImageLink, MAX_IMAGE_LINKS } from './image-links';
import { warnOfUnread } from './unread-fields';

/** A chat completion as the text models take it. */
export interface ChatRequest {
  /** The request in the shape of the native endpoint. */
  body: JsonObject;
  stream: boolean;
  /** Images that are not fetched yet; the smallest of images stands in their parts of the body. */
  links: readonly ImageLink[];
  /** A last piece of the stream is to tell what was used. */
  includesUsage: boolean;
  maxCost: MaxCost | undefined;
  /** False: the model is to call one function at a time. */
  parallelToolCalls: boolean;
  /** Fields that were ignored. */
  warnings: readonly Message[];
}

/** Fields that change nothing of an answer here. */
const WITHOUT_EFFECT = new Set([
  'model',
  'messages',
  'metadata',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
  'user',
  'verbosity',
]);
const NUMBERS: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  top_p: 'topP',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
};
const WHOLE_NUMBERS: Readonly<Record<string, string>> = {
  max_tokens: 'maxOutputTokens',
  // The later name counts where both are given.
  max_completion_tokens: 'maxOutputTokens',
  seed: 'seed',
  top_k: 'topK',
};
/** Values that ask for what is done without the field, which not every vendor takes. */
const DEFAULTS: Readonly<Record<string, Json>> = {
  presence_penalty: 0,
  frequency_penalty: 0,
  max_tokens: -1,
  max_completion_tokens: -1,
  top_k: -1,
};
const MAX_COST = 'max_cost';
/** Tokens of thought by effort. */
const EFFORTS = { none: 0, minimal: 512, low: 1024, medium: 8192, high: 24_576, xhigh: 24_576 } as const;
const READ_APART = new Set([
  MAX_COST,
  'parallel_tool_calls',
  'reasoning_effort',
  'response_format',
  'stop',
  'stream',
  'stream_options',
  'tool_choice',
  'tools',
  ...Object.keys(NUMBERS),
  ...Object.keys(WHOLE_NUMBERS),
]);

/**
 * The body of a chat completion in the shape that text models take here. Fields that are not read are named, so that no answer
 * differs from what was asked for without a word.
 *
 * @param takeMemory throws where there is none for so many bytes.
 * @throws GatewayError `invalid_request` with all that is wrong, and whatever `takeMemory` throws.
 */
export async function readChatRequest(chat: JsonObject, takeMemory: (bytes: number) => void): Promise<ChatRequest> {
  const fields = new FieldReader(takeMemory);
  const unread = Object.entries(chat).filter(([name]) => !WITHOUT_EFFECT.has(name) && !READ_APART.has(name));
  const warnings = warnOfUnread(Object.fromEntries(unread), fields);
  const generationConfig = readConfig(chat, fields);
  const body: JsonObject = {
    ...readMessages(chat['messages'], fields),
    ...readTools(chat, fields),
    ...(Object.keys(generationConfig).length === 0 ? {} : { generationConfig }),
  };
  const stream = fields.flag(chat['stream'], 'stream');
  const includesUsage = readStreamOptions(chat['stream_options'], fields);
  const maxCost = readMaxCost(chat[MAX_COST], fields);
  const parallelToolCalls = fields.flag(chat['parallel_tool_calls'] ?? true, 'parallel_tool_calls');
  if (fields.links.length > MAX_IMAGE_LINKS) {
    fields.invalid('messages', 'too_many_items_of_type', { limit: MAX_IMAGE_LINKS, type: 'image_url' });
  }
  await fields.parseTexts();
  const [first, ...further] = fields.faults;
  if (first) throw refusedBody('invalid_request', oneOfEachField([first, ...further]));
  return { body, links: fields.links, stream, includesUsage, maxCost, parallelToolCalls, warnings };
}

function readConfig(chat: JsonObject, fields: FieldReader): JsonObject {
  const config: JsonObject = {};
  for (const [name, native] of Object.entries(NUMBERS)) {
    const number = fields.number(chat[name], name);
    if (number !== undefined && number !== DEFAULTS[name]) config[native] = number;
  }
  for (const [name, native] of Object.entries(WHOLE_NUMBERS)) {
    const number = fields.whole(chat[name], name);
    if (number !== undefined && number !== DEFAULTS[name]) config[native] = number;
  }
  const { stop, reasoning_effort: effort, response_format: format } = chat;
  const sequences = stop === undefined ? [] : readStop(stop, fields);
  if (sequences.length > 0) config['stopSequences'] = sequences;
  if (effort !== undefined) {
    const word = fields.word(effort, 'reasoning_effort', Object.keys(EFFORTS) as (keyof typeof EFFORTS)[]);
    if (word !== undefined) config['thinkingConfig'] = { thinkingBudget: EFFORTS[word] };
  }
  return { ...config, ...(format === undefined ? {} : readFormat(format, fields)) };
}

function readStop(stop: Json, fields: FieldReader): string[] {
  const sequences = typeof stop === 'string' ? [stop] : fields.list(stop, 'stop', TEXT_LISTS.stopSequences);
  return sequences.flatMap((each, index) => fields.text(each, `stop[${index}]`) ?? []);
}

const JSON_TYPE = 'application/json';

function readFormat(value: Json, fields: FieldReader): JsonObject {
  const format = fields.object(value, 'response_format') ?? {};
  const type = fields.word(format['type'], 'response_format.type', ['text', 'json_object', 'json_schema']);
  if (type === undefined || type === 'text') return {};
  if (type === 'json_object') return { responseMimeType: JSON_TYPE };
  const described = fields.object(format['json_schema'], 'response_format.json_schema');
  const { schema } = described ?? {};
  return { responseMimeType: JSON_TYPE, ...(isJsonObject(schema) ? { responseJsonSchema: schema } : {}) };
}

function readMaxCost(value: Json | undefined, fields: FieldReader): MaxCost | undefined {
  const amount = fields.number(value, MAX_COST);
  if (amount === undefined) return undefined;
  return amount > 0 ? { amount, field: MAX_COST } : fields.invalid(MAX_COST, 'must_be_above', { limit: 0 });
}

function readStreamOptions(value: Json | undefined, fields: FieldReader): boolean {
  if (value === undefined) return false;
  const options = fields.object(value, 'stream_options');
  return fields.flag(options?.['include_usage'], 'stream_options.include_usage');
}
