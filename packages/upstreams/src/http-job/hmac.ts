import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { BodyPieces, UnsentCall } from '../contract';
import type { HmacWords } from './description';

/** Words that a call's signature may be made of. `body` is the bytes themselves. */
export const SIGNED_WORDS = [
  'method',
  'path',
  'host',
  'timestamp',
  'timestamp_ms',
  'iso_time',
  'nonce',
  'body_sha256',
  'body',
  'key_id',
] as const;

/** Words that the headers of a signed call may show. */
export const SHOWN_WORDS = ['signature', ...SIGNED_WORDS.filter((word) => word !== 'body')] as const;

/** Values that are new with each call: a vendor knows them by the headers alone. */
export const NEW_WORDS = ['timestamp', 'timestamp_ms', 'iso_time', 'nonce'] as const;

export interface HmacKey {
  /** Empty where no word shows it. */
  id: string;
  secret: string;
}

/** The secret alone, or where `{key_id}` is used `key_id:secret`; undefined: it has no id. */
export function hmacKey(apiKey: string, { sign, headers }: HmacWords): HmacKey | undefined {
  const key = apiKey.trim();
  if (![sign, ...Object.values(headers)].some((text) => text.includes('{key_id}'))) return { id: '', secret: key };
  const colon = key.indexOf(':');
  return colon < 1 || colon === key.length - 1 ? undefined : { id: key.slice(0, colon), secret: key.slice(colon + 1) };
}

/** The headers that sign a call by an HMAC over what the description says. */
export async function hmacHeaders(
  { sign, algorithm = 'sha256', encoding = 'hex', headers }: HmacWords,
  { id, secret }: HmacKey,
  { method, url, body }: UnsentCall,
): Promise<Record<string, string>> {
  const { host, pathname, search } = new URL(url);
  const nowMs = Date.now();
  const isHashed = [sign, ...Object.values(headers)].some((text) => text.includes('{body_sha256}'));
  const values = {
    method,
    path: pathname + search,
    host,
    timestamp: String(Math.floor(nowMs / 1000)),
    timestamp_ms: String(nowMs),
    iso_time: new Date(nowMs).toISOString(),
    nonce: randomUUID(),
    key_id: id,
    body_sha256: isHashed ? await sha256Of(body()) : '',
  };
  const hmac = createHmac(algorithm, secret);
  for (const part of sign.split(/(\{body\})/)) {
    if (part !== '{body}') hmac.update(filled(part, values));
    else for await (const piece of body()) hmac.update(piece);
  }
  const shown = { ...values, signature: hmac.digest(encoding) };
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name.toLowerCase(), filled(text, shown)]));
}

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{([^{}]*)\}/g, (_, name: string) => values[name] ?? '');
}

/** In hexadecimal digits; a body is never held whole for it. */
export async function sha256Of(body: BodyPieces): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of body) hash.update(piece);
  return hash.digest('hex');
}
