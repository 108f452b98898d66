import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { GatewayError } from '@mediagate/contracts';
import type { Request } from 'express';
import { FORM_BODY_TIMEOUT_MS, FORM_FIELD_MAX_BYTES, FORM_MAX_FIELDS } from '../request-limits';
import { describeBytes, followBody } from './body-bytes';
import type { Exchange } from './exchange';
import { memorySpent } from './memory-budget';

export interface FormFile {
  field: string;
  /** As the caller named it: shown back to the caller, never used as a path. */
  filename: string;
  bytes: Buffer;
}

export interface Form {
  fields: ReadonlyMap<string, readonly string[]>;
  files: readonly FormFile[];
  /** Names of file fields that the form does not know; their bytes were dropped. */
  ignoredFiles: readonly string[];
}

export interface FormLimits {
  /** Of the whole body, headers of parts included. */
  maxBytes: number;
  maxFiles: number;
  /** Bytes of a file of this field at most; undefined: the form has no such file. */
  fileMaxBytes(field: string): number | undefined;
}

const FORM_TYPE = /^multipart\/form-data\s*;/i;

export function isFormRequest(request: Request): boolean {
  return FORM_TYPE.test(request.headers['content-type'] ?? '');
}

/**
 * Reads a multipart form, counting while it streams: the first byte over a limit ends the reading. Files stay in memory,
 * within the process's budget, because they are sniffed and measured at once.
 *
 * @throws GatewayError `body_too_large`, `invalid_request`, `unsupported_media_type`, `unavailable`. CallerLeftError.
 */
export async function readForm(exchange: Exchange, limits: FormLimits): Promise<Form> {
  const { request } = exchange;
  const parser = openParser(request, limits);
  const form = collectForm(parser, limits, exchange);
  request.pipe(parser);
  try {
    const body = followBody(exchange, { maxBytes: limits.maxBytes, timeoutMs: FORM_BODY_TIMEOUT_MS });
    const [collected] = await Promise.all([form, body]);
    return collected;
  } finally {
    request.unpipe(parser);
    request.resume();
  }
}

function openParser(request: Request, limits: FormLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: {
        fields: FORM_MAX_FIELDS,
        fieldSize: FORM_FIELD_MAX_BYTES,
        files: limits.maxFiles,
        parts: FORM_MAX_FIELDS + limits.maxFiles,
        headerPairs: 20,
        headerSize: 4096,
      },
    });
  } catch {
    throw invalid('The multipart form has no boundary.');
  }
}

function collectForm(parser: BusboyInstance, limits: FormLimits, exchange: Exchange): Promise<Form> {
  const fields = new Map<string, string[]>();
  const files: Promise<FormFile>[] = [];
  const ignoredFiles: string[] = [];
  return new Promise((resolve, reject) => {
    parser.on('field', (name, value, nameTruncated, valueTruncated) => {
      if (nameTruncated || valueTruncated) reject(invalid('A form field is too long.'));
      fields.set(name, [...(fields.get(name) ?? []), value]);
    });
    parser.on('file', (field, stream, filename) => {
      const maxBytes = limits.fileMaxBytes(field);
      if (maxBytes === undefined) {
        ignoredFiles.push(field);
        stream.on('error', () => undefined).resume();
        return;
      }
      const file = collectFile(stream, { field, maxBytes, exchange }).then((bytes) => ({
        ...{ field, filename: filename ?? '', bytes },
      }));
      // Also where the form never ends: a rejection that nobody hears would end the process.
      file.catch(reject);
      files.push(file);
    });
    parser.on('filesLimit', () => reject(invalid(`The form has more than ${limits.maxFiles} files.`)));
    parser.on('fieldsLimit', () => reject(invalid(`The form has more than ${FORM_MAX_FIELDS} fields.`)));
    parser.on('partsLimit', () => reject(invalid('The form has too many parts.')));
    parser.on('error', () => reject(invalid('The multipart form is malformed or incomplete.')));
    parser.on('finish', () => {
      Promise.all(files).then((complete) => resolve({ fields, files: complete, ignoredFiles }), reject);
    });
  });
}

interface FileLimits {
  field: string;
  maxBytes: number;
  exchange: Exchange;
}

/** The stream is read to its end even after a fault: the form's parser waits for it. */
function collectFile(stream: BusboyFileStream, { field, maxBytes, exchange }: FileLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        chunks.length = 0;
        reject(new GatewayError('body_too_large', `File "${field}" is larger than ${describeBytes(maxBytes)}.`));
      } else if (exchange.memory.take(chunk.length)) chunks.push(chunk);
      else reject(memorySpent());
    });
    stream.on('end', () => resolve(Buffer.concat(chunks)));
    stream.on('error', () => reject(invalid('The multipart form is malformed or incomplete.')));
  });
}

function invalid(message: string): GatewayError {
  return new GatewayError('invalid_request', message);
}
