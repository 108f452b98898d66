import type { GatewayError } from '@mediagate/contracts';
import { JSON_MAX_DEPTH } from '../../request-limits';
import { unreadable } from '../../use-cases/invalid';

/** NUL, which PostgreSQL's text cannot hold, and half of a surrogate pair, which no UTF-8 can. */
const UNSTORABLE = /[\0\p{Cs}]/u;

/**
 * Refuses what is valid JSON and yet does harm further on: nesting that overflows recursive code, text that cannot be
 * stored, numbers beyond the range of a double. Takes out `__proto__`, the key that changes an object's prototype when it
 * is copied, wherever it is nested; at the top it stays, so that a warning can name it: nothing copies unknown fields.
 *
 * @returns how many fields its objects had.
 * @throws GatewayError `invalid_request`.
 */
export function makeJsonSafe(value: unknown, depth = 0): number {
  if (typeof value === 'string') refuseUnstorable(value);
  else if (typeof value === 'number') refuseInfinite(value);
  else if (typeof value === 'object' && value !== null) {
    if (depth >= JSON_MAX_DEPTH) throw tooDeep();
    return Array.isArray(value) ? makeItemsSafe(value, depth) : makeMembersSafe(value, depth);
  }
  return 0;
}

function makeItemsSafe(items: readonly unknown[], depth: number): number {
  let fields = 0;
  for (const item of items) fields += makeJsonSafe(item, depth + 1);
  return fields;
}

function makeMembersSafe(object: object, depth: number): number {
  let fields = 0;
  for (const [key, member] of Object.entries(object)) {
    refuseUnstorable(key);
    fields += 1 + makeJsonSafe(member, depth + 1);
    if (key === '__proto__' && depth > 0) Reflect.deleteProperty(object, key);
  }
  return fields;
}

function refuseUnstorable(text: string): void {
  if (UNSTORABLE.test(text)) throw unreadable('body_unstorable');
}

function refuseInfinite(value: number): void {
  if (!Number.isFinite(value)) throw unreadable('body_number_out_of_range');
}

function tooDeep(): GatewayError {
  return unreadable('body_too_deep', { limit: JSON_MAX_DEPTH });
}
