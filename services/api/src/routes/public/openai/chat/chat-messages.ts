import { TEXT_LISTS } from '@mediagate/catalog';
import type { Json, JsonObject } from '@mediagate/contracts';
import { chatSignatureOf } from '@mediagate/upstreams';
import { Conversation, type PartReaders, readAudio, readContent, readFile, readTextIn } from '../conversation';
import type { FieldReader } from '../field-reader';

/** `function` is the role of a result in older clients' words; those whose call is there come as `tool`. */
const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const;

/** The messages in the shape of the native endpoint. */
export function readMessages(value: Json | undefined, fields: FieldReader): JsonObject {
  const conversation = new Conversation('messages', fields);
  const messages = fields.list(value, 'messages', TEXT_LISTS.turns);
  for (const [index, message] of messages.entries()) {
    const param = `messages[${index}]`;
    const read = fields.object(message, param);
    if (read) readMessage(read, param, { conversation, fields });
  }
  return conversation.toBody(messages.length === 0 ? undefined : `messages[${messages.length - 1}].content`);
}

interface Reading {
  conversation: Conversation;
  fields: FieldReader;
}

function readMessage(message: JsonObject, param: string, { conversation, fields }: Reading): void {
  const role = fields.word(message['role'], `${param}.role`, ROLES);
  const content = (readers = PARTS) => readContent(message['content'], `${param}.content`, { readers, fields });
  switch (role) {
    case 'system':
    case 'developer':
      conversation.instruct(content());
      return;
    case 'user':
      conversation.say('user', content());
      return;
    case 'assistant':
      readAnswer(message, param, { conversation, fields });
      return;
    case 'tool': {
      const id = fields.text(message['tool_call_id'], `${param}.tool_call_id`);
      const parts = content(TEXTS);
      const names = { param: `${param}.tool_call_id`, madeIn: 'tool_calls[].id' };
      if (id !== undefined) conversation.result(id, parts, names);
      return;
    }
    case 'function': {
      const name = fields.text(message['name'], `${param}.name`);
      const other = 'function_call.name';
      if (name !== undefined) fields.invalid(`${param}.name`, 'answers_no_call', { other });
      return;
    }
    default:
      role satisfies undefined;
  }
}

function readAnswer(message: JsonObject, param: string, { conversation, fields }: Reading): void {
  const { content = null, refusal, tool_calls: calls = null } = message;
  const parts = content === null ? [] : readContent(content, `${param}.content`, { readers: PARTS, fields });
  if (typeof refusal === 'string' && refusal !== '') parts.push({ text: refusal });
  conversation.answer(parts, chatSignatureOf(message));
  if (calls === null) return;
  for (const [index, call] of fields.list(calls, `${param}.tool_calls`, TEXT_LISTS.calls).entries()) {
    readCall(call, `${param}.tool_calls[${index}]`, { conversation, fields });
  }
}

function readCall(value: Json, param: string, { conversation, fields }: Reading): void {
  const call = fields.object(value, param);
  const id = fields.text(call?.['id'], `${param}.id`);
  const described = fields.object(call?.['function'], `${param}.function`);
  const name = fields.text(described?.['name'], `${param}.function.name`);
  const args = fields.text(described?.['arguments'], `${param}.function.arguments`);
  if (call === undefined || id === undefined || name === undefined || args === undefined) return;
  conversation.call({ id, name, args, signature: chatSignatureOf(call) }, `${param}.function.arguments`);
}

/** Results of functions are texts alone. */
const TEXTS: PartReaders = {
  text: readTextIn('text'),
  refusal: readTextIn('refusal'),
};
const PARTS: PartReaders = {
  ...TEXTS,
  image_url: (part, param, fields) => {
    const url = fields.object(part['image_url'], `${param}.image_url`)?.['url'];
    return readFile(url, `${param}.image_url.url`, fields);
  },
  input_audio: readAudio,
  file: (part, param, fields) => {
    return readFile(part['file'] && (part['file'] as JsonObject)['file_data'], `${param}.file.file_data`, fields);
  },
};
