import { createHash } from 'node:crypto';
import type { JsonObject } from '@mediagate/contracts';
import stringify from 'safe-stable-stringify';
import { IDEMPOTENCY_KEY_MAX_CHARACTERS } from '../request-limits';
import { invalid } from './invalid';

export interface Idempotency {
  key: string;
  /** SHA-256 of route and body: the same key with another request is a mistake, not a repetition. */
  requestHash: Buffer;
}

/** The part of a request that is read here. */
export interface RequestHeaders {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Visible ASCII: what every client and every log can carry. */
export const IDEMPOTENCY_KEY_PATTERN = new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_MAX_CHARACTERS}}$`);

/**
 * The request's `Idempotency-Key`; undefined when there is none, or a blank one.
 *
 * @throws GatewayError `invalid_request` for a key that is too long or has other characters than visible ASCII.
 */
export function readIdempotency(
  request: RequestHeaders,
  route: string,
  body: JsonObject | Buffer,
): Idempotency | undefined {
  const header = request.headers['idempotency-key'];
  const key = typeof header === 'string' ? header.trim() : '';
  if (key === '') return undefined;
  if (!IDEMPOTENCY_KEY_PATTERN.test(key)) {
    throw invalid('Idempotency-Key', 'idempotency_key_invalid', { limit: IDEMPOTENCY_KEY_MAX_CHARACTERS });
  }
  return { key, requestHash: hashRequest(route, body) };
}

/** The number of the attempt, which OpenAI's clients send with every request. */
const ATTEMPT_HEADER = 'x-stainless-retry-count';

export interface Repeatable {
  /** The key under which the request is booked: the caller's, or that of a repetition. */
  idempotency: Idempotency | undefined;
  /** The key under which its client will repeat it by itself. */
  expected?: Idempotency;
}

/**
 * The keys of a request whose client may repeat it by itself. Without a key of the caller's one is made of the request, for clients
 * that count their attempts.
 *
 * @throws GatewayError as `readIdempotency` does.
 */
export function readRepeatable(request: RequestHeaders, route: string, body: JsonObject): Repeatable {
  const named = readIdempotency(request, route, body);
  const attempt = request.headers[ATTEMPT_HEADER];
  if (named !== undefined || typeof attempt !== 'string' || !/^\d{1,3}$/.test(attempt)) return { idempotency: named };
  const requestHash = hashRequest(route, body);
  // No caller's key has a space.
  const own = { key: `repeatable ${requestHash.toString('base64url')}`, requestHash };
  return { idempotency: Number(attempt) > 0 ? own : undefined, expected: own };
}

/** Two bodies that differ only in the order of their fields are the same request; of long ones, which come as bytes, each byte counts. */
function hashRequest(route: string, body: JsonObject | Buffer): Buffer {
  return createHash('sha256')
    .update(route)
    .update('\n')
    .update(Buffer.isBuffer(body) ? body : (stringify(body) ?? ''))
    .digest();
}
