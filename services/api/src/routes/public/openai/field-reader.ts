import {
  type Failure,
  failureOf,
  isJsonObject,
  type Json,
  type JsonObject,
  type Message,
  type MessageParam,
} from '@mediagate/contracts';
import { MediaError, type PartFile, typeOfPart } from '@mediagate/media';
import { NestedJson } from '../../../http/json/nested-json';
import { NESTED_JSON_MAX_BYTES, TEXT_MAX_VALUES } from '../../../request-limits';
import type { ImageLink } from './image-links';

/** Stands for an image that is not fetched yet; no image costs less. */
const SMALLEST_IMAGE = { mimeType: 'image/png', data: 'AAAA' };

const NESTED = { maxBytes: NESTED_JSON_MAX_BYTES, maxValues: TEXT_MAX_VALUES };

/** A field of a file in the shape of the native endpoint. */
const FILE = /^(?:contents\[(\d+)\]|systemInstruction)\.parts\[(\d+)\]\.inlineData\b/;

const BEYOND = Symbol('beyond the limits');

/** Faults that are kept: enough for an answer to list as many fields as it does. */
const MAX_FAULTS = 100;

/** The value of a field; undefined: it is absent, or wrong and its fault is in the list. */
type Read<T> = T | undefined;

/** The limits of reading a body. */
export interface ReadingLimits {
  /** Throws where there is no memory for so many bytes. */
  takeMemory(bytes: number): void;
  /** Types of images that the vendors of the model read. */
  imageTypes(): readonly string[];
}

/** Reads the fields of a body, and keeps all that is wrong with them. */
export class FieldReader {
  readonly faults: Failure[] = [];
  /** Images that are to be read before the request goes anywhere. */
  readonly links: ImageLink[] = [];
  /** The field that each part with a file was made of. */
  readonly #filesFrom = new Map<JsonObject, string>();
  /** Arguments of functions that were called. */
  readonly #calls: NestedJson;
  /** Results of those functions. */
  readonly #results: NestedJson;
  /** Parse these texts, each into its place. */
  readonly #unparsed: (() => Promise<void>)[] = [];

  readonly #imageTypes: ReadingLimits['imageTypes'];

  constructor({ takeMemory, imageTypes }: ReadingLimits) {
    this.#imageTypes = imageTypes;
    this.#calls = new NestedJson(NESTED, takeMemory);
    this.#results = new NestedJson(NESTED, takeMemory);
  }

  fault(failure: Failure): undefined {
    if (this.faults.length < MAX_FAULTS) this.faults.push(failure);
    return undefined;
  }

  unsupported(param: string): undefined {
    return this.fault(failureOf('unsupported_parameter', param, ['unsupported_parameter']));
  }

  otherName(param: string, other: MessageParam): undefined {
    return this.fault(failureOf('unsupported_parameter', param, ['called_otherwise', { other }]));
  }

  /** @param other the field that takes what is stored elsewhere, whole; absent: it goes into the same place. */
  notStored(param: string, other?: MessageParam): undefined {
    const about = other === undefined ? (['not_stored'] as const) : (['not_stored_whole', { other }] as const);
    return this.fault(failureOf('unsupported_parameter', param, about));
  }

  missing(param: string): undefined {
    return this.fault(failureOf('missing_parameter', param, ['required']));
  }

  invalid(param: string, key: Message['key'], params?: object): undefined {
    return this.fault(failureOf('invalid_parameter', param, params === undefined ? [key] : [key, params]));
  }

  text(value: Json | undefined, param: string): Read<string> {
    if (value === undefined) return this.missing(param);
    return typeof value === 'string' ? value : this.invalid(param, 'must_be_string');
  }

  object(value: Json | undefined, param: string): Read<JsonObject> {
    if (value === undefined) return this.missing(param);
    return isJsonObject(value) ? value : this.invalid(param, 'must_be_object');
  }

  /** As `text` and `object`; null, too, is an absent value. */
  optional(type: 'object', value: Json | undefined, param: string): Read<JsonObject>;
  optional(type: 'text', value: Json | undefined, param: string): Read<string>;
  optional(type: 'object' | 'text', value: Json | undefined, param: string): Read<Json> {
    return value === undefined || value === null ? undefined : this[type](value, param);
  }

  /** Puts the arguments of a call into their place once they are parsed: they are the text of a JSON object, or blank. */
  arguments(text: string, param: string, call: { args: JsonObject }): void {
    if (text.trim() === '') return;
    this.#unparsed.push(async () => {
      const args = await this.#calls.parse(text, BEYOND);
      if (args !== BEYOND && isJsonObject(args)) call.args = args;
      else if (args === BEYOND) this.invalid(param, 'json_too_complex');
      else this.invalid(param, 'must_be_json_object', { example: '{"city":"Oslo"}' });
    });
  }

  /** The same of what a function gave: a JSON object. Any other text, and one that is too complex to be parsed, stays as it is. */
  result(text: string, place: { response: JsonObject }): void {
    if (!text.trimStart().startsWith('{')) return;
    this.#unparsed.push(async () => {
      const given = await this.#results.parse(text, undefined);
      if (isJsonObject(given)) place.response = given;
    });
  }

  /** Parses the JSON that stands in texts. All of them together may take long: others have their turn between them. */
  async parseTexts(): Promise<void> {
    for (const parse of this.#unparsed) await parse();
  }

  /** Empty where it is longer than `limit`: nothing of it is looked at then. */
  list(value: Json | undefined, param: string, limit: number): Json[] {
    if (value === undefined) this.missing(param);
    else if (!Array.isArray(value)) this.invalid(param, 'must_be_array');
    else if (value.length > limit) this.invalid(param, 'too_many_items', { limit });
    else return value;
    return [];
  }

  /** One of the words, in any letter case. */
  word<const Word extends string>(value: Json | undefined, param: string, words: readonly Word[]): Read<Word> {
    const known = words.find((word) => word === (typeof value === 'string' ? value.toLowerCase() : value));
    return known ?? this.invalid(param, 'must_be_one_of', { values: words.join(', ') });
  }

  number(value: Json | undefined, param: string): Read<number> {
    if (value === undefined) return undefined;
    return typeof value === 'number' ? value : this.invalid(param, 'must_be_number');
  }

  whole(value: Json | undefined, param: string): Read<number> {
    if (value === undefined) return undefined;
    return Number.isSafeInteger(value) ? (value as number) : this.invalid(param, 'must_be_integer');
  }

  /** The part that an image becomes once it has been read. */
  link(field: string, url: string): JsonObject {
    const part = { inlineData: SMALLEST_IMAGE };
    this.links.push({ field, url, part });
    this.#filesFrom.set(part, field);
    return part;
  }

  /** The part of a file in the body, which goes as it is, by its type. */
  file(field: string, file: Omit<PartFile, 'field' | 'imageTypes'>): Read<JsonObject> {
    try {
      const mimeType = typeOfPart({ field, imageTypes: this.#imageTypes, ...file });
      if (mimeType === undefined) return this.invalid(field, 'must_be_file');
      const part = { inlineData: { mimeType, data: file.base64 } };
      this.#filesFrom.set(part, field);
      return part;
    } catch (error) {
      if (!(error instanceof MediaError)) throw error;
      return this.fault({ reason: 'bad_media', message: error.problem, param: field });
    }
  }

  /** The field that a file of the conversation was made of, by its field in the body made here; undefined: that is about no file. */
  fieldOfFile(name: string, { contents, systemInstruction }: JsonObject): string | undefined {
    const [, turn, at] = FILE.exec(name) ?? [];
    if (at === undefined) return undefined;
    const holder = turn === undefined ? systemInstruction : (contents as Json[])[Number(turn)];
    const part = isJsonObject(holder) && (holder['parts'] as JsonObject[])[Number(at)];
    return part ? this.#filesFrom.get(part) : undefined;
  }

  flag(value: Json | undefined, param: string): boolean {
    if (value === undefined || value === null || value === false) return false;
    if (value !== true) this.invalid(param, 'must_be_boolean');
    return value === true;
  }
}
