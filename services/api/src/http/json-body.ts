import { isUtf8 } from 'node:buffer';
import { GatewayError, isJsonObject, type JsonObject } from '@mediagate/contracts';
import type { Request } from 'express';
import { readBodyBytes } from './body-bytes';
import type { Exchange } from './exchange';
import { makeJsonSafe } from './json-safety';
import { unreadable } from './unreadable';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

export function isJsonRequest(request: Request): boolean {
  return JSON_TYPE.test(request.headers['content-type'] ?? '');
}

/**
 * The JSON object of the body: bounded in bytes, time and depth, valid UTF-8, free of what cannot be stored, and without
 * the fields that are null.
 *
 * @throws GatewayError `unsupported_media_type`, `body_too_large`, `invalid_request`, `unavailable`. CallerLeftError.
 */
export async function readJsonObject(exchange: Exchange, maxBytes: number): Promise<JsonObject> {
  requireJson(exchange.request);
  const body = parseJsonObject(await readBodyBytes(exchange, maxBytes));
  dropUnset(body);
  makeJsonSafe(body);
  return body;
}

/** @throws GatewayError `unsupported_media_type`. */
export function requireJson(request: Request): void {
  if (isJsonRequest(request)) return;
  throw new GatewayError('unsupported_media_type', 'Send the body as JSON with "Content-Type: application/json".');
}

/** @throws GatewayError `invalid_request`. */
export function parseJsonObject(bytes: Buffer): JsonObject {
  const body = parseJson(bytes);
  if (!isJsonObject(body)) throw unreadable('The request body must be a JSON object.');
  return body;
}

/** Many clients send `null` for a field that is not set. */
export function dropUnset(body: JsonObject): void {
  for (const field of Object.keys(body)) if (body[field] === null) Reflect.deleteProperty(body, field);
}

function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw unreadable('The request body is not valid UTF-8.');
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // The parser's own message quotes the body, so it is not passed on.
    throw unreadable('The request body is not valid JSON.');
  }
}
