import { randomUUID } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import type { Json, JsonObject } from '@mediagate/contracts';
import type FormData from 'form-data';
import type { BodyPieces } from './contract';

export type RequestBody =
  | { json: JsonObject }
  | { jsonText: string }
  | { form: FormData }
  | { fields: Record<string, string> };

export interface Payload {
  headers: Record<string, string>;
  data: Buffer | Readable | undefined;
}

/** A file in a body's JSON: a text of its base64, which is made piece by piece while the body is sent. */
class Base64Text {
  readonly bytes: Buffer;
  readonly prefix: string;

  constructor(bytes: Buffer, prefix: string) {
    this.bytes = bytes;
    this.prefix = prefix;
  }

  get length(): number {
    return this.prefix.length + 4 * Math.ceil(this.bytes.length / 3);
  }

  *pieces(): Generator<Buffer> {
    yield Buffer.from(this.prefix);
    for (let at = 0; at < this.bytes.length; at += PIECE_BYTES) {
      yield Buffer.from(this.bytes.toString('base64', at, at + PIECE_BYTES), 'latin1');
    }
  }
}

/** Each gives whole groups of base64. */
const PIECE_BYTES = 48 * 1024;

/** A file as base64 behind `prefix`, for the JSON of a body; nothing else reads it. */
export function base64Text(bytes: Buffer, prefix = ''): Json {
  return new Base64Text(bytes, prefix) as unknown as Json;
}

/** A request's body as bytes, with the headers that it brings. Files are read piece by piece, as the vendor takes them. */
export function payload(body: RequestBody | undefined): Payload {
  if (body === undefined) return { headers: {}, data: undefined };
  if ('form' in body) return formPayload(body.form);
  if ('fields' in body) return { headers: {}, data: Buffer.from(new URLSearchParams(body.fields).toString()) };
  return 'jsonText' in body ? { headers: {}, data: Buffer.from(body.jsonText) } : jsonPayload(body.json);
}

/** The bytes that `payload` sends, for whoever signs them. */
export function bodyPieces(body: RequestBody | undefined): BodyPieces {
  if (body !== undefined && 'form' in body) throw new Error('a form has no bytes before it is sent');
  const { data = [] } = payload(body);
  return Buffer.isBuffer(data) ? [data] : data;
}

function jsonPayload(json: JsonObject): Payload {
  const files: Base64Text[] = [];
  /** Stands for a file, and is in nobody's text. */
  const mark = randomUUID();
  const text = JSON.stringify(json, (_name, value: unknown) => {
    if (!(value instanceof Base64Text)) return value;
    files.push(value);
    return mark;
  });
  if (files.length === 0) return { headers: {}, data: Buffer.from(text) };
  const texts = text.split(mark).map((part) => Buffer.from(part));
  const length = [...texts, ...files].reduce((sum, part) => sum + part.length, 0);
  return { headers: { 'content-length': String(length) }, data: sent(Readable.from(joined(texts, files))) };
}

function* joined(texts: readonly Buffer[], files: readonly Base64Text[]): Generator<Buffer> {
  for (const [index, text] of texts.entries()) {
    yield text;
    yield* files[index]?.pieces() ?? [];
  }
}

function formPayload(form: FormData): Payload {
  // Before anything is read of it: the form measures what it still has.
  const length = form.hasKnownLength() ? { 'content-length': String(form.getLengthSync()) } : {};
  const headers = { ...form.getHeaders(), ...length };
  const data = sent(new PassThrough());
  form.on('error', (error) => data.destroy(error));
  return { headers, data: form.pipe(data) };
}

/** A request that breaks off ends its body with the error, of which the exchange reports. */
function sent<Body extends Readable>(data: Body): Body {
  return data.on('error', () => {});
}
