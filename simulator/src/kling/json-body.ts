import type { Request } from 'express';
import type { JsonObject } from '../vendor-call/contract';
import { bodyCheck } from '../vendor-call/json-body';
import { isJsonObject, parseJson, readBytes } from '../vendor-call/request-body';
import { invalidParameter } from './wire';

/** Two images of 50 MB in base64. */
const MAX_BODY_BYTES = 140 * 1024 * 1024;

/** The JSON object of a request; throws the vendor's refusal. */
export async function readJsonBody(request: Request, requestId: string): Promise<JsonObject> {
  const read = await readBytes(request, MAX_BODY_BYTES);
  const body = read.kind === 'bytes' ? parseJson(markLongs(read.bytes)) : undefined;
  if (isJsonObject(body)) return body;
  throw invalidParameter('the body is no JSON, or too large', requestId);
}

/** A whole number, or one that a double would round, as it was written. */
export const longOrInteger = {
  type: ['object', 'integer'],
  required: ['long'],
  properties: { long: { type: 'string', pattern: '^\\d{16,19}$' } },
} as const;

function markLongs(bytes: Buffer): Buffer {
  const literals = /"(?:[^"\\]|\\.)*"|(?<![\d.])\d{16,19}(?![\d.eE])/g;
  const json = bytes.toString('utf8');
  return Buffer.from(
    json.replace(literals, (literal) => (literal.startsWith('"') ? literal : `{"long":"${literal}"}`)),
  );
}

export const compileBody = <const P extends object, const R extends string>(properties: P, required: R[]) =>
  bodyCheck({ properties, required }, invalidParameter);
