import { isJsonObject, type JsonObject } from '@mediagate/contracts';
import type { Endpoint, StartRequest } from '../contract';
import { staticKey } from '../send-with-key';
import { segmentsOf } from '../templates/request-view';
import { type Description, descriptionOf, type Spot } from './description';

/** Headers that show the key; a key in the query is none of them. */
export const credentials = staticKey((endpoint) => keyHeaders(endpoint));

function keyHeaders(endpoint: Endpoint): Record<string, string> {
  const { auth = 'bearer' } = descriptionOf(endpoint);
  const { apiKey } = endpoint;
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
