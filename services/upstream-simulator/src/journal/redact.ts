import { createHash } from 'node:crypto';

const MAX_TEXT_CHARS = 2_000;
const MAX_ITEMS = 100;
const MAX_DEPTH = 12;
/** Shorter strings are words, not pictures. */
const MIN_BASE64_CHARS = 256;

/**
 * A request body as the journal keeps it: pictures become their length in bytes and SHA-256, links lose their query
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
  const [, dataUrlPayload] = /^data:[^,]{0,200};base64,(.*)$/s.exec(text) ?? [];
  if (dataUrlPayload !== undefined) return digest(Buffer.from(dataUrlPayload, 'base64'));
  if (text.length >= MIN_BASE64_CHARS && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text))
    return digest(Buffer.from(text, 'base64'));
  if (/^https?:\/\//.test(text)) return text.replace(/\?.*$/s, '?…').slice(0, MAX_TEXT_CHARS);
  return text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}…` : text;
}

function digest(bytes: Buffer): { bytes: number; sha256: string } {
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
