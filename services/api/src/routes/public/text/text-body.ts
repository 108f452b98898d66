import type { JsonObject } from '@mediagate/contracts';
import { decode, dropUnset, parseJsonObject, readJson } from '../../../http/body/json-body';
import type { Exchange } from '../../../http/exchange';
import { afterOthers } from '../../../http/json/after-others';
import { refuseDoubleMeaning } from '../../../http/json/doubled-fields';
import { writeJson } from '../../../http/json/write-json';
import { TEXT_MAX_BYTES, TEXT_MAX_VALUES } from '../../../request-limits';
import { unreadable } from '../../../use-cases/invalid';
import type { TextBody } from '../../../use-cases/text/generate';

const LIMITS = { maxBytes: TEXT_MAX_BYTES, maxValues: TEXT_MAX_VALUES, takesFiles: false, memoryFactor: 2 };

const NOTHING = Buffer.alloc(0);

export interface SentText extends TextBody {
  /** The body as it was sent; empty if only its price is asked for. */
  sent: Buffer;
}

/**
 * Reads a body once. Nothing of it is stored and all of it is passed on to the byte, so that only its size, its encoding, that
 * it is one JSON object, how deep that is nested and that it has one meaning alone matter here.
 * What the caller of it does next is part of its last step.
 *
 * @throws GatewayError `unsupported_media_type`, `body_too_large`, `invalid_request`, `unavailable`. CallerLeftError.
 */
export async function readTextBody(exchange: Exchange): Promise<SentText> {
  if (exchange.given) return toText(NOTHING, exchange.given.body);
  const { json: bytes, fields } = await readJson(exchange, TEXT_MAX_BYTES, LIMITS);
  if (bytes.length === 0) throw unreadable('body_empty');
  await afterOthers(bytes);
  const text = decode(bytes);
  await afterOthers(bytes);
  const json = parseJsonObject(text);
  await afterOthers(bytes);
  refuseDoubleMeaning({ json: bytes, fields }, json);
  dropUnset(json);
  return toText(bytes, json);
}

function toText(sent: Buffer, json: JsonObject): SentText {
  return { sent, json, bytes: (body) => (body === json ? Promise.resolve(sent) : writeJson(body)) };
}
