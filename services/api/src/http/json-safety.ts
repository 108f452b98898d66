import { GatewayError } from '@mediagate/contracts';
import { JSON_MAX_DEPTH } from '../request-limits';

/** NUL, which PostgreSQL's text cannot hold, and half of a surrogate pair, which no UTF-8 can. */
const UNSTORABLE = /[\0\p{Cs}]/u;

/**
 * Refuses what is valid JSON and yet does harm further on: nesting that overflows recursive code, text that cannot be
 * stored, numbers beyond the range of a double, and the key that changes an object's prototype when it is copied.
 *
 * @throws GatewayError `invalid_request`.
 */
export function refuseUnsafeJson(value: unknown, depth = 0): void {
  if (typeof value === 'string') refuseUnstorable(value);
  else if (typeof value === 'number') refuseInfinite(value);
  else if (typeof value === 'object' && value !== null) {
    if (depth >= JSON_MAX_DEPTH) throw invalid(`The request body is nested deeper than ${JSON_MAX_DEPTH} levels.`);
    if (Array.isArray(value)) for (const item of value) refuseUnsafeJson(item, depth + 1);
    else refuseUnsafeMembers(value, depth);
  }
}

function refuseUnsafeMembers(object: object, depth: number): void {
  for (const [key, member] of Object.entries(object)) {
    if (key === '__proto__') throw invalid('The request body must not have a "__proto__" field.');
    refuseUnstorable(key);
    refuseUnsafeJson(member, depth + 1);
  }
}

function refuseUnstorable(text: string): void {
  if (UNSTORABLE.test(text)) throw invalid('The request body contains a NUL character or a broken surrogate pair.');
}

function refuseInfinite(value: number): void {
  if (!Number.isFinite(value)) throw invalid('The request body contains a number that is out of range.');
}

function invalid(message: string): GatewayError {
  return new GatewayError('invalid_request', message);
}
