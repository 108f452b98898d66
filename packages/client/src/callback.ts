import { MediagateError } from './errors.ts';
import type { EndedTask } from './types.ts';

/** A callback is not the gateway's, or is an old one. Answer 401 and do nothing. */
export class InvalidCallbackError extends MediagateError {
  override name = 'InvalidCallbackError';
}

export interface CallbackRequest {
  /** The request's headers: `Headers`, or an object as Node has it, whose names are in lower case. */
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it came: the same JSON written anew has another signature. */
  body: string | Uint8Array;
  /** `whsec_…`. */
  secret: string;
  /** How far the clocks may be apart, and how old a callback may be. Default: 300. */
  toleranceSeconds?: number;
}

const TOLERANCE_SECONDS = 300;

/**
 * The ended task of a callback that is the gateway's own, after Standard Webhooks.
 *
 * @throws InvalidCallbackError
 */
export async function verifyCallback(callback: CallbackRequest): Promise<EndedTask> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((word) => headerOf(callback, word));
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(ageSeconds <= (callback.toleranceSeconds ?? TOLERANCE_SECONDS))) {
    throw new InvalidCallbackError('The callback was sent at another time than now.');
  }
  const body = typeof callback.body === 'string' ? callback.body : new TextDecoder().decode(callback.body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const key = await keyOf(callback.secret);
  for (const signature of (signatures ?? '').split(' ')) {
    const [version, value = ''] = signature.split(',');
    // `verify` compares in constant time.
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(value), signed))) return JSON.parse(body);
  }
  throw new InvalidCallbackError('No signature of the callback is by this secret.');
}

function headerOf({ headers }: CallbackRequest, word: string): string {
  const name = `webhook-${word}`;
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value === 'string') return value;
  throw new InvalidCallbackError(`The callback has no header ${name}, or several.`);
}

function keyOf(secret: string) {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (bytes.length === 0) throw new MediagateError('The secret is not `whsec_` and base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** The bytes of base64; none where it is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
