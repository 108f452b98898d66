import { createHash } from 'node:crypto';
import { isBase64 } from '../media/base64';

const MAX_TEXT_CHARS = 2_000;
const MAX_ITEMS = 100;
const MAX_DEPTH = 12;
/** Shorter strings are words, not images. */
const MIN_BASE64_CHARS = 256;

/**
 * A request body as the journal keeps it: images become their length in bytes and SHA-256, links lose their query
 * (it may hold a signature), long texts are cut.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return '…';
  if (typeof value === 'string') return redactText(value);
  if (Buffer.isBuffer(value)) return digest(value);
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => redact(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(fields.map(([name, field]) => [name, redact(field, depth + 1)]));
}

function redactText(text: string): unknown {
  const payload = dataUrlPayload(text) ?? (text.length >= MIN_BASE64_CHARS && isBase64(text) ? text : undefined);
  if (payload !== undefined) return digest(Buffer.from(payload, 'base64'));
  if (/^https?:\/\//.test(text))
    return text
      .split('?', 1)[0]
      ?.slice(0, MAX_TEXT_CHARS)
      .concat(text.includes('?') ? '?…' : '');
  return text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}…` : text;
}

const DATA_URL_MARK = ';base64,';
const MAX_DATA_URL_HEAD_CHARS = 200;

function dataUrlPayload(text: string): string | undefined {
  if (!text.startsWith('data:')) return undefined;
  const mark = text.indexOf(DATA_URL_MARK);
  return mark < 0 || mark > MAX_DATA_URL_HEAD_CHARS ? undefined : text.slice(mark + DATA_URL_MARK.length);
}

function digest(bytes: Buffer): { bytes: number; sha256: string } {
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
