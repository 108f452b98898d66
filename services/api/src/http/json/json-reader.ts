import { GatewayError, message } from '@mediagate/contracts';
import { ByteCollector, LongStrings, type StringReceiver } from '@mediagate/egress';
import { DataUrlReader } from '@mediagate/media';
import { JSON_MAX_DEPTH, JSON_NAME_MAX_BYTES, JSON_NAMES_MAX_BYTES } from '../../request-limits';
import { unreadable } from '../../use-cases/invalid';
import { describeBytes } from '../body/body-bytes';
import type { ArrivingFile } from '../body/caller-files';
import type { JudgedJson } from './parse-json';

export interface JsonLimits {
  /** Size of the JSON itself, in bytes; files that are taken out of it do not count. */
  maxBytes: number;
  /** Objects, arrays and what stands in them. */
  maxValues: number;
  /** Long data URLs are taken out and decoded as they arrive. */
  takesFiles: boolean;
  /** Bytes of memory for each byte of the body; default 1. Bodies that may be large also count their text and its values. */
  memoryFactor?: number;
}

/** Counts so far. JSON texts that share their limits share one of these. */
export interface JsonCount {
  values: number;
  /** Bytes of all names. */
  nameBytes: number;
}

/** JSON that is within its limits. */
export interface ReadJson {
  json: JudgedJson;
  /** Files that were taken out of the JSON. */
  files: TakenFiles;
  /** Colons outside of strings: what is JSON has one for each field. */
  fields: number;
}

/** A data URL that was taken out of JSON. */
export interface TakenFile {
  /** As the URL declares it. */
  contentType: string;
  /** Undefined: it is not base64. */
  file: ArrivingFile | undefined;
}

/** Files by what stands for each of them in the body. */
export type TakenFiles = ReadonlyMap<string, TakenFile>;

/** Where a reader gets what it needs; each throws where there is none. */
export interface Means {
  takeMemory(bytes: number): void;
  /** Asked for where the limits let files be taken out. */
  newFile?(): ArrivingFile;
}

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];
const [OPEN_BRACE, OPEN_BRACKET, CLOSE_BRACE, CLOSE_BRACKET] = [0x7b, 0x5b, 0x7d, 0x5d];
/** A data URL that is longer is taken out: it may be megabytes, and parsing, checking and decoding them at once stops everybody. */
const LONG_STRING_BYTES = 4096;

/**
 * Goes over JSON as it arrives, at little more than a look at each byte, and refuses what would be dear to parse before it is
 * parsed: too many values, too deep, too long, names too long, alone or together. Files in data URLs do not pass through the parser at all. What
 * is left is small.
 *
 * It checks no grammar, which is the parser's affair: what is wrong there is refused there, or counts more than it should.
 */
export class JsonReader {
  readonly #limits: JsonLimits;
  readonly #means: Means;
  readonly #json = new ByteCollector();
  readonly #files = new Map<string, TakenFile>();
  readonly #count: JsonCount;
  readonly #strings: LongStrings;
  #depth = 0;
  #fields = 0;

  constructor(limits: JsonLimits, means: Means, count: JsonCount = { values: 0, nameBytes: 0 }) {
    this.#limits = limits;
    this.#means = means;
    this.#count = count;
    this.#strings = new LongStrings({
      longBytes: LONG_STRING_BYTES,
      keep: (bytes) => this.#keep(bytes),
      readStructure: (chunk, from) => this.#readStructure(chunk, from),
      receive: limits.takesFiles ? (head) => this.#beginFile(head) : undefined,
    });
  }

  /** Bytes so far, without those of files. */
  get keptBytes(): number {
    return this.#json.size;
  }

  /** @throws GatewayError `body_too_large`, `invalid_request`, and what the means throw. */
  push(chunk: Buffer): void {
    this.#strings.push(chunk);
  }

  /** The JSON without its files, and the files. What ended within a string is no JSON, and its parser says so. */
  end(): ReadJson {
    this.#strings.end();
    return { json: this.#json.bytes() as JudgedJson, files: this.#files, fields: this.#fields };
  }

  /** @returns the index of the next quote, or the chunk's length. */
  #readStructure(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === QUOTE) return at;
      if (byte === COMMA) this.#countValue();
      else if (byte === COLON) this.#endName();
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        this.#countValue();
        this.#depth += 1;
        if (this.#depth > JSON_MAX_DEPTH) throw tooDeep();
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#depth -= 1;
    }
    return chunk.length;
  }

  #countValue(): void {
    this.#count.values += 1;
    if (this.#count.values > this.#limits.maxValues) throw tooManyValues(this.#limits.maxValues);
  }

  #endName(): void {
    this.#fields += 1;
    const { stringBytes } = this.#strings;
    if (stringBytes > JSON_NAME_MAX_BYTES) throw nameTooLong();
    this.#count.nameBytes += stringBytes;
    if (this.#count.nameBytes > JSON_NAMES_MAX_BYTES) throw namesTooLong();
  }

  /** Undefined: the string is no data URL. */
  #beginFile(head: Buffer): StringReceiver | undefined {
    const file = this.#means.newFile?.();
    const reader = file && DataUrlReader.begin(head.toString('latin1'), (bytes) => file.push(bytes));
    return reader && receiveFile({ reader, file, files: this.#files });
  }

  #keep(bytes: Buffer): void {
    if (this.#json.size + bytes.length > this.#limits.maxBytes) throw tooLarge(this.#limits);
    this.#means.takeMemory(bytes.length);
    this.#json.push(bytes);
  }
}

/** Takes a data URL out of the JSON while it arrives: one of its type with the hash of its content stands for it, so that equal bodies stay equal. */
function receiveFile({ reader, file, files }: ArrivingUrl): StringReceiver {
  return {
    push: (content) => reader.push(content.toString('latin1')),
    end() {
      const { contentType } = reader;
      const isBase64 = reader.end();
      const url = `data:${contentType};base64,${file.sha256().toString('base64')}`;
      files.set(url, { contentType, file: isBase64 ? file : undefined });
      return Buffer.from(url);
    },
  };
}

interface ArrivingUrl {
  reader: DataUrlReader;
  file: ArrivingFile;
  files: Map<string, TakenFile>;
}

function tooLarge({ maxBytes, takesFiles }: JsonLimits): GatewayError {
  const key = takesFiles ? 'body_too_large_without_files' : 'body_too_large';
  return new GatewayError('body_too_large', message(key, { size: describeBytes(maxBytes) }));
}

function tooManyValues(maxValues: number): GatewayError {
  return unreadable('body_too_many_values', { limit: maxValues });
}

function tooDeep(): GatewayError {
  return unreadable('body_too_deep', { limit: JSON_MAX_DEPTH });
}

function nameTooLong(): GatewayError {
  return unreadable('field_name_too_long', { limit: JSON_NAME_MAX_BYTES });
}

function namesTooLong(): GatewayError {
  return unreadable('field_names_too_long', { size: describeBytes(JSON_NAMES_MAX_BYTES) });
}
