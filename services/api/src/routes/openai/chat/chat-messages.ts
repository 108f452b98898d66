import { TEXT_LISTS } from '@mediagate/catalog';
import { type Json, type JsonObject, mediaIdOf } from '@mediagate/contracts';
import { readDataUrlPrefix, sniff } from '@mediagate/media';
import type { FieldReader } from './chat-fields';

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const;

interface Conversation {
  instruction: JsonObject[];
  contents: { role: string; parts: JsonObject[] }[];
  /** Names of the functions that were called, by the ids of the calls. */
  called: Map<string, string>;
}

/** The messages as turns of the conversation; what instructs the model stands apart, wherever it was among them. */
export function readMessages(value: Json | undefined, fields: FieldReader): JsonObject {
  const conversation: Conversation = { instruction: [], contents: [], called: new Map() };
  for (const [index, message] of fields.list(value, 'messages', TEXT_LISTS.turns).entries()) {
    const param = `messages[${index}]`;
    const read = fields.object(message, param);
    if (read) readMessage(read, param, conversation, fields);
  }
  const { instruction, contents } = conversation;
  if (contents.length === 0 && fields.faults.length === 0) fields.invalid('messages', 'no_item');
  const turns = [instruction, ...contents.map(({ parts }) => parts)];
  if (turns.some(({ length }) => length > TEXT_LISTS.parts)) {
    fields.invalid('messages', 'too_many_items_of_type', { limit: TEXT_LISTS.parts, type: 'content' });
  }
  return { contents, ...(instruction.length === 0 ? {} : { systemInstruction: { parts: instruction } }) };
}

function readMessage(message: JsonObject, param: string, conversation: Conversation, fields: FieldReader): void {
  const { content } = message;
  const role = fields.word(message['role'], `${param}.role`, ROLES);
  switch (role) {
    case 'system':
    case 'developer':
      conversation.instruction.push(...readContent(content, `${param}.content`, fields));
      return;
    case 'user':
      say(conversation, 'user', readContent(content, `${param}.content`, fields));
      return;
    case 'assistant':
      say(conversation, 'model', readAnswer(message, param, conversation, fields));
      return;
    case 'tool':
      readResult(message, param, conversation, fields);
      return;
    default:
      role satisfies undefined;
  }
}

/** Messages of one side in a row are one turn. */
function say({ contents }: Conversation, role: string, parts: readonly JsonObject[]): void {
  if (parts.length === 0) return;
  const last = contents.at(-1);
  if (last?.role === role) last.parts.push(...parts);
  else contents.push({ role, parts: [...parts] });
}

function readAnswer(message: JsonObject, param: string, { called }: Conversation, fields: FieldReader): JsonObject[] {
  const { content, refusal, tool_calls: calls } = message;
  const parts = content === undefined || content === null ? [] : readContent(content, `${param}.content`, fields);
  if (typeof refusal === 'string' && refusal !== '') parts.push({ text: refusal });
  if (calls === undefined || calls === null) return parts;
  return [
    ...parts,
    ...fields.list(calls, `${param}.tool_calls`, TEXT_LISTS.calls).flatMap((call, index) => {
      return readCall(call, `${param}.tool_calls[${index}]`, called, fields);
    }),
  ];
}

function readCall(value: Json, param: string, called: Map<string, string>, fields: FieldReader): JsonObject[] {
  const call = fields.object(value, param);
  const id = fields.text(call?.['id'], `${param}.id`);
  const described = fields.object(call?.['function'], `${param}.function`);
  const name = fields.text(described?.['name'], `${param}.function.name`);
  const text = fields.text(described?.['arguments'], `${param}.function.arguments`);
  if (id === undefined || name === undefined || text === undefined) return [];
  called.set(id, name);
  const functionCall = { id, name, args: {} };
  fields.arguments(text, `${param}.function.arguments`, functionCall);
  return [{ functionCall }];
}

function readResult(message: JsonObject, param: string, conversation: Conversation, fields: FieldReader): void {
  const id = fields.text(message['tool_call_id'], `${param}.tool_call_id`);
  const parts = readContent(message['content'], `${param}.content`, fields);
  if (id === undefined) return;
  const name = conversation.called.get(id);
  if (name === undefined) {
    fields.invalid(`${param}.tool_call_id`, 'must_equal_that_of', { other: 'messages[].tool_calls[].id' });
    return;
  }
  const result = parts.map((part) => part['text'] ?? '').join('\n');
  const functionResponse = { id, name, response: { result } };
  fields.result(result, functionResponse);
  say(conversation, 'user', [{ functionResponse }]);
}

/** A text, or parts of several kinds. */
function readContent(value: Json | undefined, param: string, fields: FieldReader): JsonObject[] {
  if (typeof value === 'string') return value === '' ? [] : [{ text: value }];
  const parts = fields.list(value, param, TEXT_LISTS.contentParts).map((part, index) => {
    const at = `${param}[${index}]`;
    const read = fields.object(part, at);
    return read && readPart(read, at, fields);
  });
  return parts.filter((part) => part !== undefined);
}

const PARTS = ['text', 'refusal', 'image_url', 'input_audio', 'file'] as const;
const AUDIO_TYPES = { wav: 'audio/wav', mp3: 'audio/mpeg' } as const;

function readPart(part: JsonObject, param: string, fields: FieldReader): JsonObject | undefined {
  const type = fields.word(part['type'], `${param}.type`, PARTS);
  switch (type) {
    case 'text':
    case 'refusal': {
      const text = fields.text(part[type], `${param}.${type}`);
      return text === undefined || text === '' ? undefined : { text };
    }
    case 'image_url': {
      const url = fields.object(part['image_url'], `${param}.image_url`)?.['url'];
      return readFile(url, `${param}.image_url.url`, fields);
    }
    case 'input_audio': {
      const audio = fields.object(part['input_audio'], `${param}.input_audio`) ?? {};
      const data = fields.text(audio['data'], `${param}.input_audio.data`);
      const format = fields.word(audio['format'], `${param}.input_audio.format`, ['wav', 'mp3']);
      if (data === undefined || format === undefined) return undefined;
      return { inlineData: { mimeType: AUDIO_TYPES[format], data } };
    }
    case 'file':
      return readFile(part['file'] && (part['file'] as JsonObject)['file_data'], `${param}.file.file_data`, fields);
    default:
      return type satisfies undefined;
  }
}

const WEB_URL = /^https?:\/\//i;
/** Letters of base64 by which a file is recognised. */
const HEAD_CHARACTERS = 128;

/** A file in the body goes as it is. What is named by an address is read by the gateway before it goes anywhere. */
function readFile(value: Json | undefined, param: string, fields: FieldReader): JsonObject | undefined {
  const url = fields.text(value, param);
  if (url === undefined) return undefined;
  const prefix = readDataUrlPrefix(url);
  if (prefix !== undefined) {
    const data = url.slice(prefix.length).replace(/[\r\n]+/g, '');
    const mimeType = typeOf(data, prefix.contentType);
    return mimeType === undefined ? fields.invalid(param, 'must_be_file') : { inlineData: { mimeType, data } };
  }
  if (!WEB_URL.test(url) && mediaIdOf(url) === undefined) return fields.invalid(param, 'must_be_file');
  return fields.link(param, url);
}

const NO_TYPES: readonly string[] = ['', 'application/octet-stream', 'binary/octet-stream'];

/** Types that bytes tell for sure. A ZIP may be a document, and a declared type says which. */
const SURE_BY_BYTES = /^(?:(?:image|audio|video)\/|application\/pdf$)/;

/** The type by the bytes, which decides how much is held; the declared one where they do not tell, or tell a video where sound was declared. */
function typeOf(base64: string, declared: string): string | undefined {
  const found = sniff(Buffer.from(base64.slice(0, HEAD_CHARACTERS), 'base64'))?.contentType;
  if (NO_TYPES.includes(declared)) return found;
  const isSound = declared.startsWith('audio/') && found?.startsWith('video/');
  return found !== undefined && SURE_BY_BYTES.test(found) && !isSound ? found : declared;
}
