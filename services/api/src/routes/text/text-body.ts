import type { Exchange } from '../../http/exchange';
import { dropUnset, parseJsonObject, readJson } from '../../http/json-body';
import { unreadable } from '../../http/unreadable';
import { TEXT_MAX_BYTES, TEXT_MAX_VALUES } from '../../request-limits';
import type { TextBody } from '../../use-cases/text/generate';
import { refuseDoubleMeaning } from './doubled-fields';

const LIMITS = { maxBytes: TEXT_MAX_BYTES, maxValues: TEXT_MAX_VALUES, takesFiles: false, memoryFactor: 2 };

/**
 * Reads a body once. Nothing of it is stored and all of it is passed on to the byte, so that only its size, its encoding, that
 * it is one JSON object, how deep that is nested and that it has one meaning alone matter here.
 *
 * @throws GatewayError `unsupported_media_type`, `body_too_large`, `invalid_request`, `unavailable`. CallerLeftError.
 */
export async function readTextBody(exchange: Exchange): Promise<TextBody> {
  const { json: bytes } = await readJson(exchange, TEXT_MAX_BYTES, LIMITS);
  if (bytes.length === 0) throw unreadable('The request body is empty.');
  const json = parseJsonObject(bytes);
  refuseDoubleMeaning(bytes, json);
  dropUnset(json);
  return { bytes, json };
}
