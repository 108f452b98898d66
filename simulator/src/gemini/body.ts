import type { Request } from 'express';
import type { JsonObject } from '../vendor-call/contract';
import { isJsonObject, parseJson, readBytes, textOf } from '../vendor-call/request-body';
import { invalidArgument } from './wire';

const MAX_BODY_BYTES = 20_971_520;

/** The JSON object of a request; throws the vendor's refusal. */
export async function readBody(request: Request): Promise<JsonObject> {
  const read = await readBytes(request, MAX_BODY_BYTES);
  if (read.kind === 'too-large') {
    throw invalidArgument(`Request payload size exceeds the limit: ${MAX_BODY_BYTES} bytes.`);
  }
  const body = parseJson(read.bytes);
  if (isJsonObject(body)) return body;
  throw invalidArgument('Invalid JSON payload received. Unexpected token.');
}

/** The texts of the last turn, before anything is known to have the right shape. */
export function promptOf(body: JsonObject): string {
  const contents = Array.isArray(body['contents']) ? body['contents'] : [];
  const last: unknown = contents.at(-1);
  const parts = isJsonObject(last) && Array.isArray(last['parts']) ? last['parts'] : [];
  const texts = parts.map((part: unknown) => (isJsonObject(part) ? textOf(part['text']) : ''));
  return texts.filter((text) => text !== '').join('\n');
}
