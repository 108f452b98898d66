import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Of one connection (RFC 9110), and never passed on. */
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

/** Between the browser and the console alone. */
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

/** What the gateway says about itself as an origin, which here is the console. */
const OF_GATEWAY = ['set-cookie', 'strict-transport-security', 'content-security-policy', 'x-powered-by', 'alt-svc'];

/** What goes to the gateway, as who is signed in. */
export function forwardedHeaders(headers: IncomingHttpHeaders, credential: string): OutgoingHttpHeaders {
  const kept = without(headers, [...HOP_BY_HOP, ...OF_BROWSER, ...namedByConnection(headers)]);
  const names = Object.keys(kept).filter((name) => !name.startsWith('sec-') && !name.startsWith('x-forwarded-'));
  return { ...Object.fromEntries(names.map((name) => [name, kept[name]])), authorization: `Bearer ${credential}` };
}

/** What goes to the browser. */
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
