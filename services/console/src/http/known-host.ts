import type { RequestHandler } from 'express';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Answers under its own names only: loopback, and where browsers reach it. A page elsewhere could otherwise lead its name to
 * this address (DNS rebinding) and pass for the console's own origin.
 */
export function requireKnownHost(publicUrl: string | undefined): RequestHandler {
  const known = new Set([...LOOPBACK, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])]);
  return (request, response, next) => {
    if (known.has(hostnameOf(request.headers.host))) next();
    else response.status(421).type('text/plain').send(REFUSED);
  };
}

const REFUSED = 'The console is not known under this name. Set CONSOLE_PUBLIC_URL to the address that browsers use.\n';

/** Without the port; empty when the header is missing or names no host. */
function hostnameOf(host: string | undefined): string {
  if (host === undefined || /[/?#@\\\s]/.test(host)) return '';
  return URL.parse(`http://${host}`)?.hostname ?? '';
}
