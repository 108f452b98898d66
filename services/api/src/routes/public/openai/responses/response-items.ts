import { TEXT_LISTS } from '@mediagate/catalog';
import type { Json, JsonObject } from '@mediagate/contracts';
import { chatSignatureOf } from '@mediagate/upstreams';
import { Conversation, type PartReaders, readAudio, readContent, readFile, readTextIn } from '../conversation';
import type { FieldReader } from '../field-reader';

/** The input, a text or a list of items, and the instructions, in the shape of the native endpoint. */
export function readInput({ input, instructions }: JsonObject, fields: FieldReader): JsonObject {
  const conversation = new Conversation('input', fields);
  const instruction = instructions === undefined ? '' : fields.text(instructions, 'instructions');
  if (instruction) conversation.instruct([{ text: instruction }]);
  const isText = typeof input === 'string';
  const items = isText ? [{ role: 'user', content: input }] : fields.list(input, 'input', TEXT_LISTS.turns);
  for (const [index, value] of items.entries()) {
    const param = `input[${index}]`;
    const item = fields.object(value, param);
    if (item) readItem(item, param, { conversation, fields });
  }
  const last = isText ? 'input' : `input[${items.length - 1}].content`;
  return conversation.toBody(items.length === 0 ? undefined : last);
}

interface Reading {
  conversation: Conversation;
  fields: FieldReader;
}

const TYPES = ['message', 'function_call', 'function_call_output', 'reasoning', 'item_reference'] as const;

function readItem(item: JsonObject, param: string, reading: Reading): void {
  const { conversation, fields } = reading;
  const kind = fields.word(item['type'] ?? 'message', `${param}.type`, TYPES);
  switch (kind) {
    case 'message':
      readMessage(item, param, reading);
      return;
    case 'function_call':
      readCall(item, param, reading);
      return;
    case 'function_call_output': {
      const id = fields.text(item['call_id'], `${param}.call_id`);
      const parts = readContent(item['output'], `${param}.output`, { readers: TEXTS, fields });
      if (id !== undefined) conversation.result(id, parts, { param: `${param}.call_id`, madeIn: 'call_id' });
      return;
    }
    case 'item_reference':
      fields.notStored(param);
      return;
    // Thoughts of another service, which its model alone can read.
    case 'reasoning':
    case undefined:
      return;
    default:
      kind satisfies never;
  }
}

const ROLES = ['user', 'assistant', 'system', 'developer'] as const;

function readMessage(item: JsonObject, param: string, { conversation, fields }: Reading): void {
  const role = fields.word(item['role'], `${param}.role`, ROLES);
  const parts = readContent(item['content'], `${param}.content`, { readers: PARTS, fields });
  if (role === 'assistant') conversation.answer(parts, chatSignatureOf(item));
  else if (role === 'user') conversation.say('user', parts);
  else if (role !== undefined) conversation.instruct(parts);
}

function readCall(item: JsonObject, param: string, { conversation, fields }: Reading): void {
  const id = fields.text(item['call_id'], `${param}.call_id`);
  const name = fields.text(item['name'], `${param}.name`);
  const args = fields.text(item['arguments'], `${param}.arguments`);
  if (id === undefined || name === undefined || args === undefined) return;
  conversation.call({ id, name, args, signature: chatSignatureOf(item) }, `${param}.arguments`);
}

/** Results of functions are texts alone. */
const TEXTS: PartReaders = {
  input_text: readTextIn('text'),
  output_text: readTextIn('text'),
  refusal: readTextIn('refusal'),
};
const PARTS: PartReaders = {
  ...TEXTS,
  input_image: byAddressOrId('image_url'),
  input_file: byAddressOrId('file_data'),
  input_audio: readAudio,
};

/** A file stands in the field, or is named by its id. */
function byAddressOrId(name: string): PartReaders[string] {
  return (part, param, fields) => {
    const isGiven = (field: string) => (part[field] ?? undefined) !== undefined;
    const field = !isGiven(name) && isGiven('file_id') ? 'file_id' : name;
    if (isGiven('file_url')) fields.unsupported(`${param}.file_url`);
    return readFile(part[field] as Json | undefined, `${param}.${field}`, fields);
  };
}
