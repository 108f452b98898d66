import { request as askByHttp, type ClientRequest, Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { request as askByHttps, Agent as HttpsAgent } from 'node:https';
import { pipeline } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import type { Logger } from '@mediagate/host';
import type { Request, RequestHandler, Response } from 'express';
import { type Refusal, refuse } from '../http/refuse';
import { isSafe } from '../http/same-origin';
import { sessionOf } from '../session/require-session';
import { answeredHeaders, forwardedHeaders, hasBody } from './headers';

export interface GatewayProxyOptions {
  /** The gateway's URL that stands behind the path at which this is mounted. */
  target: string;
  /** The kind of user that this part of the gateway serves. */
  kind: 'operator' | 'account';
  /** It is open to whoever has a signed link: no credential goes there, and nothing is changed there. */
  bySignature?: true;
  logger: Logger;
}

export interface GatewayProxy {
  handle: RequestHandler;
  close(): void;
}

/** Streams of events are silent for some seconds; what is silent for so long has died. */
const SILENCE_MAX_MS = 300_000;
const MAX_CONNECTIONS = 500;

/**
 * Passes a request to the gateway as who is signed in, and the answer back, byte by byte: nothing is gathered on the way, so events
 * arrive at once and a file of any size takes the memory of a chunk. http-proxy-3 and httpxy do the same, but forward every header that is
 * not taken away; which headers pass (`headers.ts`) would be written here all the same.
 */
export function createGatewayProxy({ target, kind, logger, bySignature }: GatewayProxyOptions): GatewayProxy {
  const base = new URL(target);
  const isHttps = base.protocol === 'https:';
  const options = { keepAlive: true, maxSockets: MAX_CONNECTIONS, maxFreeSockets: 32 };
  const agent = isHttps ? new HttpsAgent(options) : new HttpAgent(options);
  const ask = isHttps ? askByHttps : askByHttp;

  const handle: RequestHandler = (request, response) => {
    const { rights, credential } = sessionOf(response);
    if (rights.kind !== kind) return refuse(response, WRONG_KIND);
    if ((rights.role === 'viewer' || bySignature) && !isSafe(request)) return refuse(response, READ_ONLY);
    if (!credential && !bySignature) return refuse(response, NO_CREDENTIAL);
    if (isSafe(request) && hasBody(request.headers)) return refuse(response, NO_BODY);
    const upstream = ask({
      agent,
      protocol: base.protocol,
      // Without the brackets of an IPv6 address, which no resolver knows.
      hostname: urlToHttpOptions(base).hostname,
      port: base.port,
      method: request.method,
      // Not `request.url`, which has a slash where the path ends with the mount: the API takes paths by their letters.
      path: `${base.pathname}${request.originalUrl.slice(request.baseUrl.length)}`,
      headers: forwardedHeaders(request.headers, bySignature ? undefined : credential?.secret),
      timeout: SILENCE_MAX_MS,
    });
    join({ request, response, upstream, logger });
  };
  return { handle, close: () => agent.destroy() };
}

const WRONG_KIND: Refusal = {
  status: 403,
  reason: 'wrong_kind',
  message: 'Operators use /api/admin/v1, users of an account /api/v1.',
};
const READ_ONLY: Refusal = { status: 403, reason: 'role_too_low', message: 'Viewers have read-only access.' };
const NO_CREDENTIAL: Refusal = {
  status: 403,
  reason: 'no_credential',
  message: 'The account is closed, or has reached its limit of API keys: revoke one.',
};
const NO_BODY: Refusal = { status: 400, reason: 'body_not_taken', message: 'A GET request must not have a body.' };
const NO_ANSWER: Refusal = { status: 502, reason: 'gateway_unreachable', message: 'The gateway does not answer.' };

interface Joint {
  request: Request;
  response: Response;
  upstream: ClientRequest;
  logger: Logger;
}

/** Whichever side ends or breaks ends the other. */
function join({ request, response, upstream, logger }: Joint): void {
  let answered = false;
  upstream.on('timeout', () => upstream.destroy(new Error('the gateway was silent for too long')));
  upstream.on('error', (error) => {
    if (answered || response.destroyed) return;
    logger.warn('console.gateway_unreachable', { method: request.method, error });
    refuse(response, NO_ANSWER);
  });
  upstream.on('response', (answer) => {
    answered = true;
    sendAnswer(answer, response);
  });
  response.on('close', () => upstream.destroy());
  // Its failures are the request's or the gateway's, which are looked at above.
  pipeline(request, upstream, () => undefined);
}

function sendAnswer(answer: IncomingMessage, response: Response): void {
  response.writeHead(answer.statusCode ?? 502, answeredHeaders(answer.headers));
  // Headers of a stream of events go before its first event.
  response.flushHeaders();
  pipeline(answer, response, () => undefined);
}
