import type { Request } from 'express';
import { type JsonObject, Refusal } from '../vendor-call/contract';
import { findingOf } from '../vendor-call/finding';
import { isJsonObject, parseJson, readBytes } from '../vendor-call/request-body';
import type { ShapeCheck } from '../vendor-call/shape';
import { fault } from './wire';

const MAX_BODY_BYTES = 256 * 1024;

/** The JSON object of a request; throws the vendor's refusal. */
export async function readJsonBody(request: Request): Promise<JsonObject> {
  const read = await readBytes(request, MAX_BODY_BYTES);
  if (read.kind === 'too-large') {
    const message = 'The request body exceeds the maximum allowed size.';
    throw new Refusal(fault(400, { type: 'invalid_request', code: 'request_too_large', message }));
  }
  const body = parseJson(read.bytes);
  if (isJsonObject(body)) return body;
  throw unprocessable({ type: 'json_invalid', loc: ['body', 0], msg: 'JSON decode error' });
}

/** The typed body; throws what the vendor's validator finds first. */
export function checked<T>(shape: ShapeCheck<T>): T {
  if (shape.ok) return shape.value;
  throw unprocessable(findingOf(shape.error));
}

export function unprocessable(finding: JsonObject): Refusal {
  return new Refusal({ status: 422, body: { detail: [finding] } });
}
