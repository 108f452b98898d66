import { bytesIn, type MediaBytes, message } from '@mediagate/contracts';
import { Base64Decoder } from '@mediagate/egress';
import type { FileLimits } from './accept-file';
import { readDataUrlPrefix } from './data-url-prefix';
import type { InlineFile } from './data-url-reader';
import { MediaError } from './media-error';

type SizeLimit = Pick<FileLimits, 'field' | 'maxBytes'>;

/**
 * The bytes of `data:<type>;base64,<data>`; `Base64Decoder` says what is taken for base64. Nothing is decoded of a text that is too long
 * for its limit. What the file is, its bytes say: the declared type is not looked at. Throws MediaError.
 */
export function decodeDataUrl({ url, ...limits }: SizeLimit & { url: string }): Buffer {
  const prefix = readDataUrlPrefix(url);
  if (prefix === undefined) throw new MediaError(limits.field, message('data_url_form'));
  const data = url.slice(prefix.length).replace(/[\r\n]+/g, '');
  requireSize(limits, decodedBytes(data));
  const chunks: Buffer[] = [];
  const decoder = new Base64Decoder((bytes) => chunks.push(bytes));
  decoder.push(data);
  if (!decoder.end()) throw notBase64(limits.field);
  return Buffer.concat(chunks);
}

/** The bytes of a data URL that was decoded while it arrived, judged as `decodeDataUrl` does. Throws MediaError. */
export function bytesOfInlineFile(limits: SizeLimit, { bytes }: Pick<InlineFile, 'bytes'>): MediaBytes {
  if (bytes === undefined) throw notBase64(limits.field);
  requireSize(limits, bytesIn(bytes));
  return bytes;
}

function requireSize({ field, maxBytes }: SizeLimit, size: number): void {
  if (size <= maxBytes) return;
  const problem = message('data_url_too_large', { bytes: size, limit: maxBytes });
  throw new MediaError(field, problem, { tooLarge: true });
}

function notBase64(field: string): MediaError {
  return new MediaError(field, message('data_url_base64'));
}

/** Four characters carry three bytes. */
function decodedBytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.floor(((data.length - padding) * 3) / 4);
}
