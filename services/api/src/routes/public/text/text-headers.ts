import { metadataFaults } from '@mediagate/catalog';
import { type GatewayError, isJsonObject, type Json, type JsonObject, refusedBody } from '@mediagate/contracts';
import { makeJsonSafe } from '../../../http/json/json-safety';
import { parseParameter } from '../../../http/json/nested-json';
import type { RequestHeaders } from '../../../use-cases/idempotency';
import { invalid } from '../../../use-cases/invalid';
import type { MaxCost } from '../../../use-cases/price-task';
import type { TextHeaders } from '../../../use-cases/text/generate';

const METADATA_HEADER = 'X-Metadata';
const METADATA_EXAMPLE = '{"order": "7"}';
const MAX_COST_HEADER = 'Max-Cost';
const DECIMAL = /^\d{1,15}(?:\.\d{1,15})?$/;

/**
 * Reads the fields that callers send as headers, because the body is the vendor's.
 *
 * @throws GatewayError `invalid_request`, naming the header.
 */
export function readTextHeaders(request: RequestHeaders): TextHeaders {
  const [metadata, maxCost] = [headerOf(request, METADATA_HEADER), headerOf(request, MAX_COST_HEADER)];
  return {
    ...(metadata === '' ? {} : { metadata: readMetadata(metadata) }),
    ...(maxCost === '' ? {} : { maxCost: readMaxCost(maxCost) }),
    asText: [metadata, maxCost].every((text) => text === '') ? '' : `\n${metadata}\n${maxCost}`,
  };
}

function headerOf({ headers }: RequestHeaders, name: string): string {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' ? value.trim() : '';
}

function readMaxCost(text: string): MaxCost {
  if (!DECIMAL.test(text)) throw invalid(MAX_COST_HEADER, 'must_be_number');
  const amount = Number(text);
  if (amount === 0) throw invalid(MAX_COST_HEADER, 'must_be_above', { limit: 0 });
  return { amount, field: MAX_COST_HEADER };
}

function readMetadata(header: string): JsonObject {
  const metadata = parseJson(header);
  const faults = metadataFaults(metadata).flatMap(({ failures }) => failures);
  const [first, ...others] = faults;
  if (first) throw named(refusedBody('invalid_request', [first, ...others]));
  return isJsonObject(metadata) ? metadata : {};
}

/** HTTP hands headers over byte by byte; what is UTF-8 was meant as that. */
function parseJson(header: string): Json {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
    const value = parseParameter(text);
    makeJsonSafe(value);
    if (value !== undefined) return value;
  } catch {
    // Neither UTF-8 nor storable.
  }
  throw invalid(METADATA_HEADER, 'must_be_json_object', { example: METADATA_EXAMPLE });
}

function named(error: GatewayError): GatewayError {
  return error.withFields((name) => name.replace(/^metadata(?=$|\.)/, METADATA_HEADER));
}
