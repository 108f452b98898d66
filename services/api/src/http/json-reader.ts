import { createHash, type Hash } from 'node:crypto';
import { GatewayError, message } from '@mediagate/contracts';
import { DataUrlReader, type InlineFile } from '@mediagate/media';
import { JSON_MAX_DEPTH, JSON_NAME_MAX_BYTES, JSON_NAMES_MAX_BYTES } from '../request-limits';
import { describeBytes } from './body-bytes';
import { ByteCollector } from './byte-collector';
import type { JudgedJson } from './parse-json';
import { unreadable } from './unreadable';

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
  files: InlineFiles;
  /** Colons outside of strings: what is JSON has one for each field. */
  fields: number;
}

/** Files by what stands for each of them in the body. */
export type InlineFiles = ReadonlyMap<string, InlineFile>;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
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
  readonly #takeMemory: (bytes: number) => void;
  readonly #json = new ByteCollector();
  readonly #files = new Map<string, InlineFile>();
  readonly #count: JsonCount;
  #depth = 0;
  #fields = 0;
  /** State of the string that the last byte belonged to: it may be a file, is a file, or stays in the JSON. */
  #string: 'none' | 'beginning' | 'file' | 'plain' = 'none';
  /** Bytes so far of the string that was read last; at a colon that is the name of a field. */
  #stringBytes = 0;
  /** Backslashes before the next byte of the string. */
  #escapes = 0;
  /** The beginning of a string that is not all there yet. */
  #head: ByteCollector | undefined;
  #file: FileInString | undefined;

  /** @param takeMemory throws where there is none. */
  constructor(limits: JsonLimits, takeMemory: (bytes: number) => void, count: JsonCount = { values: 0, nameBytes: 0 }) {
    this.#limits = limits;
    this.#takeMemory = takeMemory;
    this.#count = count;
  }

  /** @throws GatewayError `body_too_large`, `invalid_request`, and whatever `takeMemory` throws. */
  push(chunk: Buffer): void {
    /** The chunk up to here was kept or diverted. The rest is kept in as few pieces as possible. */
    let kept = 0;
    for (let at = 0; at < chunk.length; ) {
      if (this.#string === 'none') at = this.#readStructure(chunk, at);
      else {
        const end = this.#endOfString(chunk, at);
        this.#stringBytes += end - at;
        if (this.#divert(chunk, { kept, at, end })) kept = end;
        if (end < chunk.length) this.#string = 'none';
        at = end + 1;
      }
    }
    this.#keep(chunk.subarray(kept));
  }

  /** The JSON without its files, and the files. What ended within a string is no JSON, and its parser says so. */
  end(): ReadJson {
    if (this.#head) this.#keep(this.#head.bytes());
    return { json: this.#json.bytes() as JudgedJson, files: this.#files, fields: this.#fields };
  }

  /** @returns where it stopped: behind the quote that begins a string, or at the end. */
  #readStructure(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === QUOTE) {
        this.#string = this.#limits.takesFiles ? 'beginning' : 'plain';
        this.#stringBytes = 0;
        this.#escapes = 0;
        return at + 1;
      }
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
    if (this.#stringBytes > JSON_NAME_MAX_BYTES) throw nameTooLong();
    this.#count.nameBytes += this.#stringBytes;
    if (this.#count.nameBytes > JSON_NAMES_MAX_BYTES) throw namesTooLong();
  }

  /** Takes content of a string out of the chunk, with what is to be kept before it, where it is a file or may be one. */
  #divert(chunk: Buffer, { kept, at, end }: { kept: number; at: number; end: number }): boolean {
    if (this.#string === 'plain') return false;
    const isWhole = end < chunk.length;
    const isShort = isWhole && this.#head === undefined && end - at <= LONG_STRING_BYTES;
    if (this.#string === 'beginning' && isShort) return false;
    this.#keep(chunk.subarray(kept, at));
    const content = chunk.subarray(at, end);
    if (this.#string === 'file') this.#file?.push(content);
    else this.#readHead(content, isWhole);
    if (isWhole && this.#file) this.#endFile(this.#file);
    return true;
  }

  #readHead(content: Buffer, isWhole: boolean): void {
    this.#head ??= new ByteCollector();
    this.#head.push(content);
    const isLong = this.#head.size > LONG_STRING_BYTES;
    if (!isLong && !isWhole) return;
    const head = this.#head.bytes();
    this.#head = undefined;
    this.#file = isLong ? FileInString.begin(head, this.#takeMemory) : undefined;
    this.#string = this.#file ? 'file' : 'plain';
    if (!this.#file) this.#keep(head);
  }

  #endFile(file: FileInString): void {
    const [url, inline] = file.end();
    this.#files.set(url, inline);
    this.#keep(Buffer.from(url));
    this.#file = undefined;
  }

  /** Looks from quote to quote: a quote after an odd number of backslashes is part of the string. */
  #endOfString(chunk: Buffer, from: number): number {
    for (let start = from; ; ) {
      const quote = chunk.indexOf(QUOTE, start);
      const end = quote < 0 ? chunk.length : quote;
      let escapes = 0;
      while (end - escapes > start && chunk[end - 1 - escapes] === BACKSLASH) escapes += 1;
      // Whether those before this place stand alone, or go on from there.
      if (end - escapes === start) escapes += this.#escapes;
      this.#escapes = quote < 0 ? escapes % 2 : 0;
      if (quote < 0 || escapes % 2 === 0) return end;
      start = quote + 1;
    }
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.#json.size + bytes.length > this.#limits.maxBytes) throw tooLarge(this.#limits);
    this.#takeMemory(bytes.length);
    this.#json.push(bytes);
  }
}

/** A data URL within a string, while it arrives. */
class FileInString {
  readonly #reader: DataUrlReader;
  readonly #collector: ByteCollector;
  readonly #hash: Hash;

  static begin(head: Buffer, takeMemory: (bytes: number) => void): FileInString | undefined {
    const collector = new ByteCollector();
    const hash = createHash('sha256');
    const reader = DataUrlReader.begin(head.toString('latin1'), (bytes) => {
      takeMemory(bytes.length);
      collector.push(bytes);
      hash.update(bytes);
    });
    return reader && new FileInString(reader, collector, hash);
  }

  private constructor(reader: DataUrlReader, collector: ByteCollector, hash: Hash) {
    this.#reader = reader;
    this.#collector = collector;
    this.#hash = hash;
  }

  push(content: Buffer): void {
    this.#reader.push(content.toString('latin1'));
  }

  /** Returns the file with its placeholder: a data URL of its type with the hash of its content, so that equal bodies stay equal. */
  end(): [url: string, file: InlineFile] {
    const { contentType } = this.#reader;
    const bytes = this.#reader.end() ? this.#collector.bytes() : undefined;
    return [`data:${contentType};base64,${this.#hash.digest('base64')}`, { contentType, bytes }];
  }
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
