import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { drainServer, listenAt } from '@mediagate/host';
import type { Express, Request, Response } from 'express';
import {
  answerMissingHost,
  answerUnknownExpectation,
  answerUnreadable,
  lacksHost,
} from './http/answers/answer-unreadable';
import type { Shutdown } from './http/caller-watch';
import { messageClassesFor } from './http/new-express';
import { withoutRepeatedSlashes, withSpeedInQuery } from './http/request-path';
import { TASK_WAITS } from './request-limits';

/**
 * The time for the head of a request, in milliseconds, from its first byte: a kept connection that idles is not measured by it. Its
 * reader cuts a slow body, uploads having the longest.
 */
const HEADERS_TIMEOUT_MS = 10_000;
/** Time without a byte in either direction while a request is in flight: a reader that stops reading would hold a file open. */
const IDLE_TIMEOUT_MS = 60_000;
const CHECK_INTERVAL_MS = 2_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Callers who wait for a task, and as many others. */
const MAX_CONNECTIONS = 2 * TASK_WAITS.max;
const DRAIN_TIMEOUT_MS = 10_000;

export interface ListenOptions {
  port: number;
  host: string;
  /** Learns when connections are cut. */
  shutdown: Shutdown;
  /** How long an idle connection is kept. */
  keepAliveMs: number;
  /** A connection is cut after this time without a byte in either direction. */
  idleTimeoutMs?: number | undefined;
  /** The time that requests in flight have at a shutdown; default 10 s. */
  drainTimeoutMs?: number | undefined;
  /** First word of the paths of the image tool's older interface. */
  legacyPrefix: string;
}

export interface ListeningServer {
  /** The port it has; another than asked for when that was 0. */
  port: number;
  /** Takes no more connections, lets requests in flight finish, cuts what is left after `drainTimeoutMs`, then resolves. */
  drain(): Promise<void>;
}

/** @throws Error naming the port when it is taken. */
export async function listen(app: Express, options: ListenOptions): Promise<ListeningServer> {
  const { shutdown, keepAliveMs, idleTimeoutMs = IDLE_TIMEOUT_MS, drainTimeoutMs = DRAIN_TIMEOUT_MS } = options;
  let draining = false;
  const server = createServer(
    {
      ...messageClassesFor(app),
      headersTimeout: HEADERS_TIMEOUT_MS,
      // Its reader ends a slow body, and says so (`watchPace`); how long one may take depends on its size.
      requestTimeout: 0,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false,
    },
    serve,
  );
  function serve(request: IncomingMessage, response: ServerResponse): void {
    // A client that keeps its connection busy would otherwise never learn that it must go elsewhere.
    if (draining) response.setHeader('Connection', 'close');
    pass(app, options.legacyPrefix, request, response);
  }
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(idleTimeoutMs);
  server.on('clientError', answerUnreadable);
  server.on('checkExpectation', answerUnknownExpectation);
  // The body's reader answers a caller who asks before sending it, once everything that can be known without it is. After another
  // answer it may come or not: the connection does not show which bytes follow.
  server.on('checkContinue', (request, response) => {
    response.setHeader('Connection', 'close');
    serve(request, response);
  });
  return {
    port: await listenAt(server, { ...options, variable: 'PORT' }),
    drain() {
      draining = true;
      return drainServer(server, { timeoutMs: drainTimeoutMs, cut: () => cutConnections(server, shutdown) });
    },
  };
}

function pass(app: Express, legacyPrefix: string, request: IncomingMessage, response: ServerResponse): void {
  request.url = withSpeedInQuery(withoutRepeatedSlashes(request.url ?? '/'), legacyPrefix);
  if (lacksHost(request)) answerMissingHost(request, response);
  else app(request as Request, response as Response);
}

function cutConnections(server: Server, shutdown: Shutdown): void {
  shutdown.cutsConnections = true;
  server.closeAllConnections();
}
