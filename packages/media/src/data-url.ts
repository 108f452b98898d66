import { message } from '@mediagate/contracts';
import type { FileLimits } from './accept-file';
import type { InlineFile } from './data-url-reader';
import { MediaError } from './media-error';

const PREFIX = /^data:([a-z]+\/[a-z0-9.+-]+);base64,/;
const MAX_PREFIX_CHARACTERS = 100;
/**
 * What does not belong is looked for: an expression that matches the whole keeps a place to return to for every character,
 * and tens of megabytes of them overflow the stack.
 */
const NOT_BASE64 = /[^A-Za-z0-9+/]/;

export function isDataUrl(text: string): boolean {
  return text.slice(0, 5).toLowerCase() === 'data:';
}

/**
 * The bytes of `data:<type>;base64,<data>`, read to the letter: no parameters, no blanks, no missing padding, a declared type
 * that the field takes. The size is known from the text's length and refused before anything is decoded. Throws MediaError.
 */
export function decodeDataUrl({ url, field, maxBytes, contentTypes }: FileLimits & { url: string }): Buffer {
  const [prefix, declared = ''] = PREFIX.exec(url.slice(0, MAX_PREFIX_CHARACTERS)) ?? [];
  if (prefix === undefined) {
    throw new MediaError(field, message('data_url_form'));
  }
  requireType({ field, contentTypes }, declared);
  const data = url.slice(prefix.length);
  requireSize({ field, maxBytes }, decodedBytes(data));
  const bytes = Buffer.from(data, 'base64');
  if (data.length % 4 !== 0 || data === '' || NOT_BASE64.test(withoutPadding(data)) || !isCanonical(data, bytes)) {
    throw notBase64(field);
  }
  return bytes;
}

/** The bytes of a data URL that was decoded while it arrived, judged as `decodeDataUrl` does. Throws MediaError. */
export function bytesOfInlineFile(limits: FileLimits, { contentType, bytes }: InlineFile): Buffer {
  requireType(limits, contentType);
  if (bytes === undefined) throw notBase64(limits.field);
  requireSize(limits, bytes.length);
  return bytes;
}

function requireType({ field, contentTypes }: Pick<FileLimits, 'field' | 'contentTypes'>, declared: string): void {
  if (contentTypes.includes(declared)) return;
  throw new MediaError(field, message('data_url_type', { type: declared, types: contentTypes.join(', ') }));
}

function requireSize({ field, maxBytes }: Pick<FileLimits, 'field' | 'maxBytes'>, size: number): void {
  if (size <= maxBytes) return;
  const problem = message('data_url_too_large', { bytes: size, limit: maxBytes });
  throw new MediaError(field, problem, { tooLarge: true });
}

function notBase64(field: string): MediaError {
  return new MediaError(field, message('data_url_base64'));
}

function withoutPadding(data: string): string {
  const end = data.indexOf('=', data.length - 2);
  return end < 0 ? data : data.slice(0, end);
}

/** Four characters carry three bytes. */
function decodedBytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.floor((data.length * 3) / 4) - padding;
}

/** The last letters must not carry bits that decoding drops, or one file would have several spellings. */
function isCanonical(data: string, bytes: Buffer): boolean {
  const tail = bytes.subarray(bytes.length - (bytes.length % 3 || 3));
  return data.endsWith(tail.toString('base64'));
}
