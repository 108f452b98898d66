import { isJsonObject, type JsonObject, type ShownKey } from '@mediagate/contracts';
import type { Credentials, Endpoint, StartRequest, UnsentCall } from '../contract';
import { segmentsOf } from '../templates/request-view';
import { aws4Headers, aws4Key } from './aws4';
import { type Description, descriptionOf, type Signing, type Spot } from './description';
import { hmacHeaders, hmacKey } from './hmac';

/** Headers that show the key, or sign the call with it; a key in the query is none of them. */
export const credentials: Credentials = {
  show({ endpoint }, call) {
    const { auth = 'bearer' } = descriptionOf(endpoint);
    const { apiKey } = endpoint;
    if (typeof auth === 'object' && ('aws4' in auth || 'hmac' in auth)) return sign(auth, apiKey, call);
    return { ok: true, headers: keyHeaders(auth, apiKey) };
  },
};

async function sign(auth: Signing, apiKey: string, call: UnsentCall | undefined): Promise<ShownKey> {
  if (call === undefined) return unsigned('no file is fetched with a signature: correct `http_job.result.files`');
  if ('aws4' in auth) {
    const key = aws4Key(apiKey);
    if (key === undefined) return unsigned('`api_key` is not written `id:secret` or `id:secret:session-token`');
    return { ok: true, headers: await aws4Headers(auth.aws4, key, call) };
  }
  const key = hmacKey(apiKey, auth.hmac);
  if (key === undefined)
    return unsigned('`http_job.auth.hmac` has {key_id}, and `api_key` is not written `key_id:secret`');
  return { ok: true, headers: await hmacHeaders(auth.hmac, key, call) };
}

function unsigned(why: string): ShownKey {
  return { ok: false, fault: { code: 'operator', detail: `not sent: ${why}` } };
}

type Shown = Exclude<NonNullable<Description['auth']>, Signing>;

function keyHeaders(auth: Shown, apiKey: string): Record<string, string> {
  if (auth === 'none') return {};
  if (auth === 'bearer') return { authorization: `Bearer ${apiKey}` };
  if (auth === 'basic') return { authorization: `Basic ${basic(apiKey)}` };
  return 'header' in auth ? { [auth.header.toLowerCase()]: (auth.prefix ?? '') + apiKey } : {};
}

/** The key is `name:password`. */
function basic(apiKey: string): string {
  return Buffer.from(apiKey).toString('base64');
}

export function headersOf({ headers = {} }: Description): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** The values of a path's names in braces. Only `endpoint` may be of several segments; its form is that of a template. */
export type PathValues = Readonly<Record<string, string>>;

/** A path below the base URL, with what goes into its query. */
export function addressOf(
  path: string,
  values: PathValues,
  endpoint: Endpoint,
  query: Readonly<Record<string, string>> = {},
): string {
  const filled = path.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return name === 'endpoint' ? value : encodeURIComponent(value);
  });
  const { auth } = descriptionOf(endpoint);
  const key = typeof auth === 'object' && 'query' in auth ? { [auth.query]: endpoint.apiKey } : {};
  const added = new URLSearchParams({ ...query, ...key }).toString();
  if (added === '') return filled;
  return `${filled}${filled.includes('?') ? '&' : '?'}${added}`;
}

/** The parts of a start that are the gateway's own: its reference, and where the vendor may call back. */
export interface OwnParts {
  body: JsonObject;
  headers: Record<string, string>;
  query: Record<string, string>;
}

export function withOwnParts(
  input: JsonObject,
  { start = {} }: Description,
  { attemptId, callbackUrl }: StartRequest,
): OwnParts {
  const parts: OwnParts = { body: input, headers: {}, query: {} };
  say(parts, start.reference, attemptId);
  say(parts, start.callback, callbackUrl);
  return parts;
}

function say(parts: OwnParts, spot: Spot | undefined, value: string | undefined): void {
  if (spot === undefined || value === undefined) return;
  if ('header' in spot) parts.headers[spot.header.toLowerCase()] = value;
  else if ('query' in spot) parts.query[spot.query] = value;
  else parts.body = withValueAt(parts.body, segmentsOf(spot.at), value);
}

function withValueAt(body: JsonObject, [name = '', ...rest]: readonly string[], value: string): JsonObject {
  const inner = body[name];
  return { ...body, [name]: rest.length === 0 ? value : withValueAt(isJsonObject(inner) ? inner : {}, rest, value) };
}
