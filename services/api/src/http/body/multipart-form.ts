import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { GatewayError, type MediaBytes, message } from '@mediagate/contracts';
import type { Request } from 'express';
import { FORM_FIELD_MAX_BYTES, FORM_MAX_FIELDS, FORM_OVERHEAD_BYTES, PARAMETERS_MAX_BYTES } from '../../request-limits';
import { invalid, missing, unreadable } from '../../use-cases/invalid';
import type { Exchange } from '../exchange';
import { type Brake, describeBytes, followBody, pauseUntilWritten } from './body-bytes';
import type { ArrivingFile } from './caller-files';

export interface FormFile {
  field: string;
  /** The caller's name of the file: shown back to the caller, never used as a path. */
  filename: string;
  bytes: MediaBytes;
  sha256: Buffer;
}

export interface Form {
  fields: ReadonlyMap<string, readonly string[]>;
  files: readonly FormFile[];
  /** Names of file fields that the form does not know; their bytes were dropped. */
  untakenFiles: readonly string[];
}

export interface FormLimits {
  /** Limit for the whole body, with the headers of its parts. */
  maxBytes: number;
  maxFiles: number;
  /** Bytes of a file of this field at most; undefined: the form has no such file. */
  fileMaxBytes(field: string): number | undefined;
}

/** One character beyond Latin makes two bytes of each. */
const BYTES_A_CHARACTER = 2;
const FORM_TYPE = /^multipart\/form-data\s*(?:;|$)/i;

export function isFormRequest(request: Request): boolean {
  return FORM_TYPE.test(request.headers['content-type'] ?? '');
}

/**
 * Reads a multipart form, counting while it streams: the first byte over a limit ends the reading.
 *
 * @throws GatewayError `body_too_large`, `invalid_request`, `unsupported_media_type`, `unavailable`. StorageUnavailableError.
 * CallerLeftError.
 */
export async function readForm(exchange: Exchange, limits: FormLimits): Promise<Form> {
  const parser = openParser(exchange.request, limits);
  // Closed at once: whatever waits for the rest of a refused form must not hold the files that were read of it.
  const scope = exchange.scope.open();
  const collector = new FormCollector(parser, limits, { ...exchange, scope });
  try {
    await followBody(exchange, limits.maxBytes, (chunk, brake) => {
      if (!parser.write(chunk)) pauseUntilDrained(brake, parser);
      collector.throwFault();
      pauseUntilWritten(brake, exchange.files);
    });
    parser.end();
    return await collector.form();
  } finally {
    scope.close();
    parser.destroy();
  }
}

/** The one file of a form, under `field`; what else the form has is dropped. @throws what `readForm` throws. */
export async function readFormFile(exchange: Exchange, field: string, maxBytes: number): Promise<FormFile> {
  const { files } = await readForm(exchange, {
    maxBytes: maxBytes + FORM_OVERHEAD_BYTES,
    maxFiles: 4,
    fileMaxBytes: (name) => (name === field ? maxBytes : undefined),
  });
  const [file] = files;
  if (!file) throw missing(field, 'file_required');
  if (files.length > 1) throw invalid(field, 'must_be_given_once');
  return file;
}

function pauseUntilDrained(brake: Brake, parser: BusboyInstance): void {
  brake.hold();
  parser.once('drain', () => brake.release());
}

function openParser(request: Request, { maxFiles }: Pick<FormLimits, 'maxFiles'>): BusboyInstance {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: {
        fields: FORM_MAX_FIELDS,
        fieldSize: FORM_FIELD_MAX_BYTES,
        files: maxFiles,
        parts: FORM_MAX_FIELDS + maxFiles,
        headerPairs: 20,
        headerSize: 4096,
      },
    });
  } catch {
    throw unreadable('form_without_boundary');
  }
}

/** The part of a form that has arrived. The first fault decides; everything after it is dropped. */
class FormCollector {
  readonly #limits: FormLimits;
  readonly #exchange: Exchange;
  readonly #fields = new Map<string, string[]>();
  readonly #files: { field: string; filename: string; file: ArrivingFile }[] = [];
  readonly #untakenFiles: string[] = [];
  readonly #finished: Promise<void>;
  #end = (): void => undefined;
  #fieldBytes = 0;
  #openFiles = 0;
  #fault: unknown;

  constructor(parser: BusboyInstance, limits: FormLimits, exchange: Exchange) {
    this.#limits = limits;
    this.#exchange = exchange;
    // The parser's types do not say that a part may have no name.
    parser.on('field', (name: string | undefined, value, nameTruncated, valueTruncated) => {
      if (name === undefined) this.#fail(partWithoutName());
      else if (nameTruncated || valueTruncated) this.#fail(unreadable('form_field_too_long'));
      else this.#addField(name, value);
    });
    parser.on('file', (field: string | undefined, stream, filename) => this.#collect(field, stream, filename ?? ''));
    parser.on('filesLimit', () => this.#fail(unreadable('form_too_many_files', { limit: limits.maxFiles })));
    parser.on('fieldsLimit', () => this.#fail(unreadable('form_too_many_fields', { limit: FORM_MAX_FIELDS })));
    parser.on('partsLimit', () => this.#fail(unreadable('form_too_many_parts')));
    this.#finished = new Promise((resolve) => {
      this.#end = resolve;
    });
    parser.on('finish', () => this.#end());
    parser.on('error', () => this.#giveUp());
  }

  throwFault(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  /** The whole form, once the parser has received its end. */
  async form(): Promise<Form> {
    // A form that is all there is read within a turn or two: one whose parser waits for more lacks something.
    this.#exchange.scope.after(this.#exchange.pace.periodMs, () => this.#giveUp());
    await this.#finished;
    this.throwFault();
    if (this.#openFiles > 0) throw malformedForm();
    const ended = this.#files.map(async ({ file, ...named }) => {
      return { ...named, sha256: file.sha256(), bytes: await file.end() };
    });
    const files = await Promise.all(ended);
    return { fields: this.#fields, files, untakenFiles: this.#untakenFiles };
  }

  #fail(fault: unknown): void {
    this.#fault ??= fault;
  }

  #giveUp(): void {
    this.#fail(malformedForm());
    this.#end();
  }

  /** Together the fields are as long as any body of parameters, and count as what the engine may need for them. */
  #addField(name: string, value: string): void {
    if (this.#fault !== undefined) return;
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(value);
    this.#fieldBytes += bytes;
    if (this.#fieldBytes > PARAMETERS_MAX_BYTES) {
      const size = describeBytes(PARAMETERS_MAX_BYTES);
      this.#fail(new GatewayError('body_too_large', message('form_fields_too_large', { size })));
      return;
    }
    const refused = this.#exchange.memory.take(BYTES_A_CHARACTER * bytes);
    if (refused) {
      this.#fail(refused);
      return;
    }
    const values = this.#fields.get(name);
    if (values) values.push(value);
    else this.#fields.set(name, [value]);
  }

  #collect(field: string | undefined, stream: BusboyFileStream, filename: string): void {
    stream.on('error', () => this.#fail(malformedForm()));
    if (field === undefined) {
      this.#fail(partWithoutName());
      stream.resume();
      return;
    }
    const maxBytes = this.#limits.fileMaxBytes(field);
    if (maxBytes === undefined) {
      // A page sends the part of a file that nobody chose without a name.
      if (filename !== '') this.#untakenFiles.push(field);
      stream.resume();
      return;
    }
    const file = this.#exchange.files.newFile();
    this.#files.push({ field, filename, file });
    this.#openFiles += 1;
    stream.on('end', () => {
      this.#openFiles -= 1;
    });
    stream.on('data', (chunk: Buffer) => {
      if (this.#fault !== undefined) return;
      if (file.size + chunk.length > maxBytes) {
        const size = describeBytes(maxBytes);
        this.#fail(new GatewayError('body_too_large', message('form_file_too_large', { field, size })));
        return;
      }
      try {
        file.push(chunk);
      } catch (error) {
        this.#fail(error);
      }
    });
  }
}

function partWithoutName(): GatewayError {
  return unreadable('form_part_without_name');
}

function malformedForm(): GatewayError {
  return unreadable('form_malformed');
}
