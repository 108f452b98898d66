import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Headers of one connection (RFC 9110), which are never passed on. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

const LENGTH = 'content-length';

/** Headers that are between the browser and the console alone. */
const OF_BROWSER = [
  'authorization',
  'cookie',
  'host',
  'origin',
  'referer',
  'x-csrf-token',
  'x-xsrf-token',
  'forwarded',
];

/** The gateway says with these what it is as an origin; here the console is the origin. */
const OF_GATEWAY = ['set-cookie', 'strict-transport-security', 'content-security-policy', 'x-powered-by', 'alt-svc'];

/** The headers that go to the gateway, with the credential of who is signed in; undefined: without any. */
export function forwardedHeaders(headers: IncomingHttpHeaders, credential: string | undefined): OutgoingHttpHeaders {
  const named = namedByConnection(headers).filter((name) => name !== LENGTH);
  const kept = without(headers, [...HOP_BY_HOP, ...OF_BROWSER, ...named]);
  const names = Object.keys(kept).filter((name) => !name.startsWith('sec-') && !name.startsWith('x-forwarded-'));
  return {
    ...Object.fromEntries(names.map((name) => [name, kept[name]])),
    ...framing(headers),
    ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
  };
}

/**
 * The headers always say where a body ends: Node writes the body of a GET or DELETE without a length as it is, and the rest of it would
 * be the beginning of the next request on the connection, by somebody else.
 */
function framing(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };
}

export function hasBody({ 'transfer-encoding': encoding, [LENGTH]: length }: IncomingHttpHeaders): boolean {
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/** The headers that go to the browser. */
export function answeredHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const kept = without(headers, [...HOP_BY_HOP, ...OF_GATEWAY, ...namedByConnection(headers)]);
  return Object.fromEntries(Object.entries(kept).filter(([name]) => !name.startsWith('access-control-')));
}

function namedByConnection({ connection }: IncomingHttpHeaders): string[] {
  return (connection ?? '').split(',').map((name) => name.trim().toLowerCase());
}

function without(headers: IncomingHttpHeaders, names: readonly string[]): OutgoingHttpHeaders {
  const dropped = new Set(names);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}
