import { OPENAI_TEXT_REQUESTS } from '@mediagate/api-contract';
import { TEXT_LISTS } from '@mediagate/catalog';
import { type Json, type JsonObject, renameFields } from '@mediagate/contracts';
import type { ReadText } from '../create-text';
import { FieldReader, type ReadingLimits } from '../field-reader';
import { readTools } from '../function-tools';
import {
  type ConfigNames,
  MAX_COST,
  readEffort,
  readFormat,
  readMaxCost,
  readNumbers,
  requireSound,
  SAMPLING,
} from '../text-options';
import { createUnreadJudge } from '../unread-fields';
import { chatField } from './chat-fields';
import { readMessages } from './chat-messages';
import { readOlderFunctions } from './older-functions';
import { createSendChunks, createSendCompletion } from './send-chat';
import { readThinking } from './thinking-config';

const NUMBERS: ConfigNames = {
  ...SAMPLING,
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
};
const INTEGERS: ConfigNames = {
  max_tokens: 'maxOutputTokens',
  // The later name counts where both are given.
  max_completion_tokens: 'maxOutputTokens',
  seed: 'seed',
  top_k: 'topK',
};
const warnOfUnread = createUnreadJudge(OPENAI_TEXT_REQUESTS.chat, {
  length: 'max_completion_tokens',
  thinking: 'reasoning_effort',
  asked: 'messages',
});

/**
 * The body of a chat completion in the shape that text models take here. Fields that are not read are named, so that no answer
 * differs from what was asked for without a word.
 *
 * @throws GatewayError `invalid_request` with all that is wrong, and whatever `limits.takeMemory` throws.
 */
export async function readChatRequest(sent: JsonObject, limits: ReadingLimits): Promise<ReadText> {
  const fields = new FieldReader(limits);
  const { chat, isOlder, warnings: reread } = readOlderFunctions(sent);
  const unread = warnOfUnread(chat, fields).map((warning) => renameFields(warning, (name) => chatField(name, sent)));
  const warnings = [...reread, ...unread];
  const generationConfig = { ...readConfig(chat, fields), ...readThinking(chat, fields) };
  const body: JsonObject = {
    ...readMessages(chat['messages'], fields),
    ...readTools(chat, { within: 'function' }, fields),
    ...(Object.keys(generationConfig).length === 0 ? {} : { generationConfig }),
  };
  const stream = fields.flag(chat['stream'], 'stream');
  const includesUsage = readStreamOptions(chat['stream_options'], fields);
  const maxCost = readMaxCost(chat[MAX_COST], fields);
  const parallelToolCalls = fields.flag(chat['parallel_tool_calls'] ?? true, 'parallel_tool_calls');
  await requireSound(fields, 'messages', 'image_url');
  const completion = { includesUsage, warnings, parallelToolCalls, isOlder };
  const answer = (model: string) => (stream ? createSendChunks : createSendCompletion)({ ...completion, model });
  const fieldOfFile = (name: string) => fields.fieldOfFile(name, body);
  return { body, links: fields.links, stream, maxCost, parallelToolCalls, warnings, fieldOfFile, answer };
}

function readConfig(chat: JsonObject, fields: FieldReader): JsonObject {
  const { stop, response_format: format } = chat;
  const sequences = stop === undefined ? [] : readStop(stop, fields);
  return {
    ...readNumbers(chat, { numbers: NUMBERS, integers: INTEGERS }, fields),
    ...(sequences.length === 0 ? {} : { stopSequences: sequences }),
    ...readEffort(chat['reasoning_effort'], 'reasoning_effort', fields),
    ...(format === undefined ? {} : readResponseFormat(format, fields)),
  };
}

function readStop(stop: Json, fields: FieldReader): string[] {
  const sequences = typeof stop === 'string' ? [stop] : fields.list(stop, 'stop', TEXT_LISTS.stopSequences);
  return sequences.flatMap((each, index) => fields.text(each, `stop[${index}]`) ?? []);
}

function readResponseFormat(value: Json, fields: FieldReader): JsonObject {
  const format = fields.object(value, 'response_format') ?? {};
  const at = 'response_format.json_schema';
  const schemaOf = () => [fields.object(format['json_schema'], at)?.['schema'], `${at}.schema`] as const;
  return readFormat(format, 'response_format', { fields, schemaOf });
}

function readStreamOptions(value: Json | undefined, fields: FieldReader): boolean {
  if (value === undefined) return false;
  const options = fields.object(value, 'stream_options');
  return fields.flag(options?.['include_usage'], 'stream_options.include_usage');
}
