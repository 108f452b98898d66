import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { Request } from 'express';
import type { JsonObject } from '../vendor-call/contract';
import { tooLarge } from './json-body';
import { MAX_PROMPT_CHARS } from './parameters';
import { invalidRequest } from './wire';

export interface FormFile {
  field: string;
  filename: string;
  contentType: string;
  bytes: Buffer;
  /** Longer than the limit; the bytes are cut there. */
  tooLarge: boolean;
}

export interface Form {
  fields: JsonObject;
  files: FormFile[];
}

const MAX_FILE_BYTES = 50 * 1024 * 1024;
const MAX_FORM_BYTES = 256 * 1024 * 1024;
/** Sixteen images, the mask, and one too many, so that the vendor's own refusal can be given. */
const MAX_FILES = 18;
const MAX_FIELDS = 40;

/** Reads a multipart form into memory; numbers and booleans stay text. Throws the vendor's refusal. */
export function readForm(request: Request): Promise<Form> {
  return new Promise((resolve, reject) => {
    if (Number(request.get('content-length') ?? 0) > MAX_FORM_BYTES) return reject(tooLarge());
    const form: Form = { fields: {}, files: [] };
    const broken = () => reject(invalidRequest(null, null, 'Could not parse multipart form.'));
    const parser = createParser(request);
    if (!parser) return broken();

    parser.on('field', (name, value) => {
      form.fields[name] = value;
    });
    parser.on('file', (field, stream, filename, _encoding, contentType) => {
      const chunks: Buffer[] = [];
      const file: FormFile = { field, filename: filename ?? '', contentType, bytes: Buffer.alloc(0), tooLarge: false };
      form.files.push(file);
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', broken);
      stream.on('limit', () => {
        file.tooLarge = true;
      });
      stream.on('end', () => {
        file.bytes = Buffer.concat(chunks);
      });
    });
    parser.on('error', broken);
    parser.on('finish', () => resolve(form));

    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_FORM_BYTES) return;
      request.unpipe(parser).resume();
      reject(tooLarge());
    });
    request.on('error', reject);
    request.pipe(parser);
  });
}

function createParser(request: Request): BusboyInstance | undefined {
  const limits = {
    fileSize: MAX_FILE_BYTES,
    files: MAX_FILES,
    fields: MAX_FIELDS,
    // A character of the prompt takes up to four bytes.
    fieldSize: MAX_PROMPT_CHARS * 4 + 4,
  };
  const contentType = request.get('content-type') ?? '';
  // The constructor throws on a missing boundary.
  if (!/boundary=/i.test(contentType)) return undefined;
  const headers: BusboyHeaders = { ...request.headers, 'content-type': contentType };
  return new Busboy({ headers, limits });
}
