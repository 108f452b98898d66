import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Exchange } from '../../http/exchange';
import { dropUnset, parseJsonObject, readJson } from '../../http/json-body';
import { unreadable } from '../../http/unreadable';
import { PARAMETERS_MAX_BYTES, TEXT_MAX_BYTES, TEXT_MAX_VALUES } from '../../request-limits';
import type { TextBody } from '../../use-cases/text/generate';
import { refuseDoubleMeaning } from './doubled-fields';

const LIMITS = { maxBytes: TEXT_MAX_BYTES, maxValues: TEXT_MAX_VALUES, takesFiles: false, memoryFactor: 2 };

const NOTHING = Buffer.alloc(0);

/**
 * Reads a body once. Nothing of it is stored and all of it is passed on to the byte, so that only its size, its encoding, that
 * it is one JSON object, how deep that is nested and that it has one meaning alone matter here.
 *
 * @throws GatewayError `unsupported_media_type`, `body_too_large`, `invalid_request`, `unavailable`. CallerLeftError.
 */
export async function readTextBody(exchange: Exchange): Promise<TextBody> {
  if (exchange.given) return { bytes: () => NOTHING, json: exchange.given.body };
  const { json: bytes } = await readJson(exchange, TEXT_MAX_BYTES, LIMITS);
  if (bytes.length === 0) throw unreadable('body_empty');
  await afterOthers(bytes);
  const json = parseJsonObject(bytes);
  await afterOthers(bytes);
  refuseDoubleMeaning(bytes, json);
  await afterOthers(bytes);
  dropUnset(json);
  return { bytes: () => bytes, json };
}

/** Each step of the longest bodies takes some 30 ms: everybody else's turn is between two of them. */
export async function afterOthers({ length }: Pick<Buffer, 'length'>): Promise<void> {
  if (length > PARAMETERS_MAX_BYTES) await nextTurn();
}
