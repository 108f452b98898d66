import type { Request } from 'express';
import { type JsonObject, Refusal } from '../vendor-call/contract';
import { isJsonObject, parseJson, readBytes } from '../vendor-call/request-body';
import { invalidRequest, openaiError } from './wire';

/** The JSON object of a request; throws the vendor's refusal. */
export async function readJsonBody(request: Request, maxBytes: number): Promise<JsonObject> {
  if (!request.is('application/json')) {
    const type = request.get('content-type') ?? 'none';
    const message = `Unsupported content type: '${type.slice(0, 80)}'. This API method only accepts 'application/json' requests, but you specified the header 'Content-Type: ${type.slice(0, 80)}'.`;
    throw invalidRequest(null, 'unsupported_content_type', message);
  }
  const read = await readBytes(request, maxBytes);
  if (read.kind === 'too-large') throw tooLarge();
  const body = parseJson(read.bytes);
  if (isJsonObject(body)) return body;
  throw invalidRequest(null, null, 'We could not parse the JSON body of your request.');
}

export function tooLarge(): Refusal {
  const message = 'The request body is too large.';
  return new Refusal(
    openaiError(413, { message, type: 'invalid_request_error', param: null, code: 'request_too_large' }),
  );
}
