import { TEXT_LISTS } from '@mediagate/catalog';
import { isJsonObject, type Json, type JsonObject, mediaIdOf } from '@mediagate/contracts';
import { usualBase64 } from '@mediagate/egress';
import { readDataUrlPrefix } from '@mediagate/media';
import type { FieldReader } from './field-reader';
import type { MadeCall } from './text-piece';

/** Reads a part of a message of the type; undefined: its fault is in the list, or it says nothing. */
export type ReadPart = (part: JsonObject, param: string, fields: FieldReader) => JsonObject | undefined;

/** Readers of parts by their types. */
export type PartReaders = Readonly<Record<string, ReadPart>>;

/** The messages as turns of the conversation; what instructs the model stands apart, wherever it was among them. */
export class Conversation {
  readonly #fields: FieldReader;
  /** The field that has the messages. */
  readonly #param: string;
  readonly #instruction: JsonObject[] = [];
  readonly #contents: { role: string; parts: JsonObject[] }[] = [];
  /** Names of the functions that were called, by the ids of the calls. */
  readonly #called = new Map<string, string>();

  constructor(param: string, fields: FieldReader) {
    this.#param = param;
    this.#fields = fields;
  }

  instruct(parts: readonly JsonObject[]): void {
    this.#instruction.push(...parts);
  }

  /** Messages of one side in a row are one turn. */
  say(role: 'user' | 'model', parts: readonly JsonObject[]): void {
    if (parts.length === 0) return;
    const last = this.#contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else this.#contents.push({ role, parts: [...parts] });
  }

  /** The vendor signs the last of what its model said, which may be nothing. */
  answer(parts: readonly JsonObject[], signature: string | undefined): void {
    const last = parts.at(-1) ?? { text: '' };
    this.say('model', signature === undefined ? parts : [...parts.slice(0, -1), { ...last, ...signed(signature) }]);
  }

  /** @param param the field of the arguments. */
  call({ id, name, args, signature }: MadeCall, param: string): void {
    this.#called.set(id, name);
    const functionCall = { id, name, args: {} };
    this.#fields.arguments(args, param, functionCall);
    this.say('model', [{ functionCall, ...signed(signature) }]);
  }

  /**
   * @param param the field of the call's id.
   * @param madeIn the field of a call that has its id.
   */
  result(id: string, parts: readonly JsonObject[], { param, madeIn }: { param: string; madeIn: string }): void {
    const name = this.#called.get(id);
    if (name === undefined) {
      this.#fields.invalid(param, 'answers_no_call', { other: madeIn });
      return;
    }
    const result = parts.map((part) => part['text'] ?? '').join('\n');
    const functionResponse = { id, name, response: { result } };
    this.#fields.result(result, functionResponse);
    this.say('user', [{ functionResponse }]);
  }

  /**
   * The conversation in the shape of the native endpoint, which takes none without a turn: an instruction alone is said by the user.
   *
   * @param last the field that should have said something; undefined: there is none.
   */
  toBody(last: string | undefined): JsonObject {
    if (this.#contents.length === 0) this.say('user', this.#instruction.splice(0));
    const [instruction, contents, fields] = [this.#instruction, this.#contents, this.#fields];
    if (contents.length === 0 && fields.faults.length === 0) {
      if (last === undefined) fields.invalid(this.#param, 'no_item');
      else fields.missing(last);
    }
    const turns = [instruction, ...contents.map(({ parts }) => parts)];
    if (turns.some(({ length }) => length > TEXT_LISTS.parts)) {
      fields.invalid(this.#param, 'too_many_items_of_type', { limit: TEXT_LISTS.parts, type: 'content' });
    }
    return { contents, ...(instruction.length === 0 ? {} : { systemInstruction: { parts: instruction } }) };
  }
}

function signed(signature: string | undefined): JsonObject {
  return signature === undefined ? {} : { thoughtSignature: signature };
}

/** Reads a text, or parts of several kinds. */
export function readContent(
  value: Json | undefined,
  param: string,
  { readers, fields }: { readers: PartReaders; fields: FieldReader },
): JsonObject[] {
  if (typeof value === 'string') return value === '' ? [] : [{ text: value }];
  if (isJsonObject(value)) fields.invalid(param, 'must_be_string_or_array');
  const parts = isJsonObject(value) ? [] : (value ?? undefined);
  return fields.list(parts, param, TEXT_LISTS.contentParts).flatMap((item, index) => {
    const at = `${param}[${index}]`;
    const part = fields.object(item, at);
    const type = part && fields.word(part['type'], `${at}.type`, Object.keys(readers));
    const read = part && type !== undefined ? readers[type]?.(part, at, fields) : undefined;
    return read === undefined ? [] : [read];
  });
}

/** The reader of a part whose text stands in the field. */
export function readTextIn(name: string): ReadPart {
  return (part, param, fields) => {
    const text = fields.text(part[name], `${param}.${name}`);
    return text === undefined || text === '' ? undefined : { text };
  };
}

const AUDIO_TYPES = { wav: 'audio/wav', mp3: 'audio/mpeg' } as const;

export function readAudio(part: JsonObject, param: string, fields: FieldReader): JsonObject | undefined {
  const at = `${param}.input_audio.data`;
  const audio = fields.object(part['input_audio'], `${param}.input_audio`) ?? {};
  const data = fields.text(audio['data'], at);
  const format = fields.word(audio['format'], `${param}.input_audio.format`, ['wav', 'mp3']);
  if (data === undefined || format === undefined) return undefined;
  const base64 = usualBase64(withoutLineBreaks(data));
  return fields.file(at, { declared: AUDIO_TYPES[format], base64, takesIds: false, isSound: true });
}

const WEB_URL = /^https?:\/\//i;

/** A file in the body goes as it is. What is named by an address is read by the gateway before it goes anywhere. */
export function readFile(value: Json | undefined, param: string, fields: FieldReader): JsonObject | undefined {
  const url = fields.text(value, param);
  if (url === undefined) return undefined;
  const prefix = readDataUrlPrefix(url);
  if (prefix !== undefined) {
    const base64 = usualBase64(withoutLineBreaks(url.slice(prefix.length)));
    return fields.file(param, { declared: prefix.contentType, base64, takesIds: true });
  }
  if (!WEB_URL.test(url) && mediaIdOf(url) === undefined) return fields.invalid(param, 'must_be_file');
  return fields.link(param, url);
}

function withoutLineBreaks(base64: string): string {
  return base64.replace(/[\r\n]+/g, '');
}
