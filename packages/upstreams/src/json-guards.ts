import { isJsonObject, type Json, type JsonObject, type MediaBytes } from '@mediagate/contracts';
import { Base64Decoder } from '@mediagate/egress';
import { AnswerFile } from './answer-files';

/*
 * Readers of what a vendor sent. Each gives the value if it has the type the protocol promises, else an empty one: a
 * vendor's mistake is decided by the adapter that asked, and never becomes an exception.
 */

export function object(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The elements; undefined when it is no array at all, which is a different finding from an empty one. */
export function list(value: unknown): Json[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** Without what no database keeps as JSON: zero bytes, and halves of characters, of which a vendor's cuts leave one. */
export function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const kept = value.replace(/[\0\p{Surrogate}]/gu, '');
  return kept === '' ? undefined : kept;
}

/** The beginning of a text, in UTF-16 units, without half of a character at its end. */
export function beginning(words: string, maxLength: number): string {
  return words.slice(0, maxLength).replace(/\p{Surrogate}$/u, '');
}

/** A count of something: no fraction, no sign, exactly representable. Anything else counts as not reported. */
export function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Beyond this a length is a mistake. */
const DECIMAL_MAX = 1e9;

/** A length in seconds or the like, up to 10^9: a number, or one written as text, without a sign. */
export function decimal(value: unknown): number | undefined {
  const figure = typeof value === 'string' && /^\d{1,9}(\.\d{1,9})?$/.test(value) ? Number(value) : value;
  return typeof figure === 'number' && figure >= 0 && figure <= DECIMAL_MAX ? figure : undefined;
}

/** The same as exact text, for figures of money. */
export function decimalText(value: unknown): string | undefined {
  const figure = typeof value === 'number' ? String(value) : value;
  return typeof figure === 'string' && /^\d{1,9}(\.\d{1,9})?$/.test(figure) ? figure : undefined;
}

/**
 * A vendor's id of something, sent as text or as a number, as text that can stand in a path once encoded. A number beyond
 * 2^53 has lost its last digits on the way and is none.
 */
export function identifier(value: unknown): string | undefined {
  const id = Number.isSafeInteger(value) && Number(value) >= 0 ? String(value) : value;
  return typeof id === 'string' && /^[\x21-\x7e]{1,200}$/.test(id) && !/^\.+$/.test(id) ? id : undefined;
}

/** Bytes of a base64 text, or the file that it became; undefined when it is empty or has a letter that is not base64. */
export function base64Bytes(encoded: unknown): MediaBytes | undefined {
  if (encoded instanceof AnswerFile) return encoded;
  if (typeof encoded !== 'string') return undefined;
  const pieces: Buffer[] = [];
  const decoder = new Base64Decoder((bytes) => pieces.push(bytes), { isLenient: true });
  decoder.push(encoded);
  return decoder.end() ? Buffer.concat(pieces) : undefined;
}

/** The link, if it is one that a client of the web could follow. */
export function httpUrl(value: unknown): string | undefined {
  const link = text(value);
  return link !== undefined && /^https?:\/\/\S+$/i.test(link) && URL.canParse(link) ? link : undefined;
}

/** Leaves out what is undefined, as optional properties must be. */
export function present<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
