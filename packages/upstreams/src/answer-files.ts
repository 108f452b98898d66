import { randomUUID } from 'node:crypto';
import type { FileOnDisk, Json } from '@mediagate/contracts';
import { Base64String, ByteCollector, FileWriter, LongStrings, type StringReceiver } from '@mediagate/egress';
import { type FileBody, type JsonBody, parseJson, type UnreadBody } from './json-body';

/** A value of an answer's JSON that was base64 and is a file now. No JSON can hold one: whatever is one was made here. */
export class AnswerFile implements FileOnDisk {
  readonly path: string;
  readonly totalBytes: number;
  readonly sha256: Buffer;

  constructor({ path, totalBytes, sha256 }: Required<FileOnDisk>) {
    this.path = path;
    this.totalBytes = totalBytes;
    this.sha256 = sha256;
  }
}

/** Reads an answer's body while it comes, into files. */
export interface AnswerReader {
  /** Never throws. */
  push(chunk: Buffer): void;
  /** Resolves once the disk has caught up; undefined: the vendor need not wait. Never rejects. */
  backlog(): Promise<unknown> | undefined;
  /** Never rejects. */
  end(): Promise<JsonBody | FileBody>;
  /** Nothing more comes, and nobody wants what came. */
  close(): void;
}

/** Base64 that is no longer stays in the JSON: it is decoded faster there than a file is made. */
const LONG_BASE64_BYTES = 64 * 1024;
/** The JSON without its files. */
const MAX_JSON_BYTES = 16 * 1024 * 1024;
const NOT_KEPT: UnreadBody = { kind: 'unreadable', why: 'not_kept' };

/** JSON, whose long base64 goes into files. */
export class JsonAnswerReader implements AnswerReader {
  readonly #newFile: () => FileWriter;
  readonly #json = new ByteCollector();
  readonly #strings: LongStrings;
  readonly #files: FileInAnswer[] = [];
  readonly #writers: FileWriter[] = [];
  /** Begins what stands for a file in the JSON, and is in nobody's answer. */
  readonly #mark = randomUUID();
  #isTooLarge = false;

  constructor(newFile: () => FileWriter) {
    this.#newFile = newFile;
    this.#strings = new LongStrings({
      longBytes: LONG_BASE64_BYTES,
      keep: (bytes) => this.#keep(bytes),
      receive: (head) => this.#receive(head),
    });
  }

  push(chunk: Buffer): void {
    this.#strings.push(chunk);
  }

  backlog(): Promise<unknown> | undefined {
    return FileWriter.backlogOf(this.#writers);
  }

  async end(): Promise<JsonBody> {
    this.#strings.end();
    // Where the JSON ended within a string, nobody has closed its file.
    this.close();
    const files = new Map<string, Json | AnswerFile>();
    for (const { name, file: written } of this.#files) {
      const file = await written;
      if (file === undefined) return NOT_KEPT;
      // Base64 that is none becomes nothing, as it does in a short answer.
      files.set(name, file ? new AnswerFile(file) : null);
    }
    if (this.#isTooLarge) return { kind: 'unreadable', why: 'too_large' };
    const body = parseJson(this.#json.bytes().toString('utf8'));
    return body.kind === 'json' && files.size > 0 ? { kind: 'json', value: withFiles(body.value, files) } : body;
  }

  close(): void {
    for (const writer of this.#writers) void writer.close();
  }

  #keep(bytes: Buffer): void {
    this.#isTooLarge ||= this.#json.size + bytes.length > MAX_JSON_BYTES;
    if (!this.#isTooLarge) this.#json.push(bytes);
  }

  #receive(head: Buffer): StringReceiver | undefined {
    if (!BASE64_START.test(head.toString('latin1', 0, START_CHARACTERS))) return undefined;
    const writer = this.#newFile();
    const file = new FileInAnswer(`${this.#mark}/${this.#files.length}`, writer);
    this.#writers.push(writer);
    this.#files.push(file);
    file.push(head);
    return file;
  }
}

/** Letters of either alphabet, and what JSON and mail write between them. */
const START_CHARACTERS = 200;
const BASE64_START = /^(?:[\w+/-]|\\(?:[/nr]|u00[\da-f]{2}))+(?:\\(?:u[\da-f]{0,3})?)?$/i;

class FileInAnswer implements StringReceiver {
  readonly name: string;
  readonly #writer: FileWriter;
  readonly #base64: Base64String;
  /** False: its base64 is none, or has no end; undefined: the disk did not take it. Never rejects. */
  file: Promise<Required<FileOnDisk> | false | undefined> = Promise.resolve(false);

  constructor(name: string, writer: FileWriter) {
    this.name = name;
    this.#writer = writer;
    this.#base64 = new Base64String((bytes) => writer.push(bytes), { isLenient: true });
  }

  push(content: Buffer): void {
    this.#base64.push(content.toString('latin1'));
  }

  /** Closes the file at once: an answer may hold many. */
  end(): Buffer {
    const isWhole = this.#base64.end();
    const ended = this.#writer.end().catch(() => undefined);
    this.file = isWhole ? ended : ended.then(() => false as const);
    return Buffer.from(this.name);
  }
}

/** The value with its files in place of their names. */
function withFiles(value: unknown, files: ReadonlyMap<string, Json | AnswerFile>): unknown {
  if (typeof value === 'string') return files.has(value) ? files.get(value) : value;
  if (Array.isArray(value)) return value.map((item) => withFiles(item, files));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withFiles(field, files)]));
}

/** A body that is a file itself. */
export function readFileAnswer(writer: FileWriter): AnswerReader {
  return {
    push: (chunk) => writer.push(chunk),
    backlog: () => FileWriter.backlogOf([writer]),
    end: () =>
      writer.end().then(
        (file): FileBody => ({ kind: 'file', bytes: file }),
        () => NOT_KEPT,
      ),
    close: () => void writer.close(),
  };
}
