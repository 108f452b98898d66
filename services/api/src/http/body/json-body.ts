import { GatewayError, isJsonObject, type JsonObject, message } from '@mediagate/contracts';
import type { Request } from 'express';
import { JSON_MAX_VALUES, PARAMETERS_MAX_BYTES } from '../../request-limits';
import { unreadable } from '../../use-cases/invalid';
import type { BodyWithFiles, Exchange } from '../exchange';
import { afterOthers } from '../json/after-others';
import { refuseDoubled } from '../json/doubled-fields';
import { jsonFault } from '../json/json-fault';
import { type JsonLimits, JsonReader, type ReadJson, type TakenFiles } from '../json/json-reader';
import { makeJsonSafe } from '../json/json-safety';
import { decodeJson, type JudgedJson, type JudgedText, parseJson } from '../json/parse-json';
import { followBody, pauseUntilWritten } from './body-bytes';
import type { CallerFiles } from './caller-files';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

export function isJsonRequest(request: Request): boolean {
  return JSON_TYPE.test(request.headers['content-type'] ?? '');
}

/**
 * The JSON object of the body: bounded in bytes, time and depth, valid UTF-8, free of what cannot be stored, each field once
 * in its object, and without the fields that are null.
 *
 * @throws GatewayError `unsupported_media_type`, `body_too_large`, `invalid_request`, `unavailable`. CallerLeftError.
 */
export async function readJsonObject(exchange: Exchange): Promise<JsonObject> {
  if (exchange.given) return exchange.given.body;
  return toSafeObject(await readJson(exchange, PARAMETERS_MAX_BYTES, PARAMETERS));
}

/** The same with the fields that are null, on a route where they mean something. */
export async function readJsonPatch(exchange: Exchange): Promise<JsonObject> {
  return toSafeObject(await readJson(exchange, PARAMETERS_MAX_BYTES, PARAMETERS), { keepsUnset: true });
}

/** The same of a route that works without a body, too: then no field was sent. */
export async function readOptionalJsonObject(exchange: Exchange): Promise<JsonObject> {
  return hasBody(exchange.request) ? readJsonObject(exchange) : {};
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * The same of a body in which files may stand as data URLs. They are decoded as they arrive, and the rest is no longer than any
 * body of parameters.
 *
 * @param maxBytes of the whole body.
 */
export async function readJsonWithFiles(exchange: Exchange, maxBytes: number): Promise<BodyWithFiles> {
  if (exchange.given) return exchange.given;
  const read = await readJson(exchange, maxBytes, { ...PARAMETERS, takesFiles: true });
  return { body: toSafeObject(read), files: await endFiles(read.files, exchange.files) };
}

/** @throws StorageUnavailableError */
async function endFiles(taken: TakenFiles, files: CallerFiles): Promise<BodyWithFiles['files']> {
  const ended = [...taken].map(async ([url, { contentType, file }]) => {
    const bytes = await file?.end();
    return [url, { contentType, bytes, read: () => files.read(bytes ?? Buffer.alloc(0)) }] as const;
  });
  return new Map(await Promise.all(ended));
}

const PARAMETERS: JsonLimits = { maxBytes: PARAMETERS_MAX_BYTES, maxValues: JSON_MAX_VALUES, takesFiles: false };

/**
 * The bytes of the JSON, of which it is known that they are cheap to parse.
 *
 * @throws GatewayError `unsupported_media_type`, `body_too_large`, `invalid_request`, `unavailable`. CallerLeftError.
 */
export async function readJson(exchange: Exchange, maxBytes: number, limits: JsonLimits): Promise<ReadJson> {
  const memoryFactor = limits.memoryFactor ?? 1;
  requireJson(exchange.request);
  const { files } = exchange;
  const reader = new JsonReader(limits, {
    takeMemory: (bytes) => files.takeMemory(bytes * memoryFactor),
    newFile: () => files.newFile(),
  });
  await followBody(exchange, maxBytes, (chunk, brake) => {
    reader.push(chunk);
    pauseUntilWritten(brake, files);
  });
  // Joining what came in pieces is a step of a long body.
  await afterOthers({ length: reader.keptBytes });
  return reader.end();
}

function toSafeObject(read: ReadJson, { keepsUnset = false } = {}): JsonObject {
  const body = parseJsonObject(decode(read.json), read.files.keys());
  refuseDoubled(read, makeJsonSafe(body));
  if (!keepsUnset) dropUnset(body);
  return body;
}

/** @throws GatewayError `unsupported_media_type`. */
function requireJson(request: Request): void {
  if (isJsonRequest(request)) return;
  throw new GatewayError('unsupported_media_type', message('send_json'));
}

/** @throws GatewayError `invalid_request`. */
export function decode(json: JudgedJson): JudgedText {
  const text = decodeJson(json);
  if (text === undefined) throw unreadable('body_not_utf8');
  return text;
}

/**
 * @param standIns texts that stand in it for files.
 * @throws GatewayError `invalid_request`.
 */
export function parseJsonObject(text: JudgedText, standIns?: Iterable<string>): JsonObject {
  const body = parseJson(text, (error) => {
    throw new GatewayError('invalid_request', jsonFault(text, error, standIns), { reason: 'invalid_request' });
  });
  if (!isJsonObject(body)) throw unreadable('body_not_object');
  return body;
}

/** Many clients send `null` for a field that is not set. */
export function dropUnset(body: JsonObject): void {
  for (const field of Object.keys(body)) if (body[field] === null) Reflect.deleteProperty(body, field);
}
