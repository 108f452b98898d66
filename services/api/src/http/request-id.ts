import type { IncomingMessage } from 'node:http';
import { timeOrderedUuid } from '@mediagate/contracts';

/** An id that is safe in a header, a log line and a database column. */
const SANE = /^[\w.:-]{1,128}$/;

/** The caller's own `X-Request-Id` when it is harmless, else a new one, whose time finds the task that it submitted. */
export function requestIdOf(request: IncomingMessage): string {
  const offered = request.headers['x-request-id'];
  return typeof offered === 'string' && SANE.test(offered) ? offered : timeOrderedUuid();
}
