import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type SpeechAddress, urlOf } from './speech-address';
import { refuse, WaitingCaller } from './waiting-caller';
import { FENCE_HEADER, PROBE_AFTER_MS } from './wire';

const PATH = '/callers/';
const ID_BYTES = 16;
const TOKEN_BYTES = 32;
/** Connections at once: one for each caller that a process may have, and as many again of workers that take over from others. */
const MAX_CONNECTIONS = 2048;
/** A connection that has not sent its headers within this time is closed. */
const HEADERS_MS = 2000;
const HEADERS_MAX_BYTES = 4096;

/** The port of an API process at which workers bring speech. It serves nothing else. */
export interface SpeechPort {
  /** Where workers reach it. */
  readonly url: string;
  /** Adds a caller who waits. */
  expect(): WaitingCaller;
  /** Cuts off all speech that is under way. */
  close(): void;
}

/** @throws Error if nobody can listen there. */
export async function openSpeechPort(address: SpeechAddress): Promise<SpeechPort> {
  const callers = new Map<string, WaitingCaller>();
  const server = createServer(
    {
      requestTimeout: 0,
      headersTimeout: HEADERS_MS,
      connectionsCheckingInterval: HEADERS_MS,
      maxHeaderSize: HEADERS_MAX_BYTES,
      keepAlive: true,
      keepAliveInitialDelay: PROBE_AFTER_MS,
    },
    (request, response) => {
      const caller = callerOf(request, callers);
      if (caller === undefined) refuse({ response }, 404);
      else caller.admit({ request, response }, Number(request.headers[FENCE_HEADER]));
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  const url = urlOf(address, await listen(server, address));
  return {
    url,
    expect() {
      const id = randomBytes(ID_BYTES).toString('base64url');
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const caller = new WaitingCaller({ url: `${url}${PATH}${id}`, token }, () => callers.delete(id));
      callers.set(id, caller);
      return caller;
    },
    close() {
      for (const caller of callers.values()) caller.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

async function listen(server: Server, { host, port }: SpeechAddress): Promise<number> {
  // Without a host Node takes every address, and those of IPv4 alone where the machine has no IPv6, on which `::` fails.
  server.listen({ port, host: host === '::' ? undefined : host });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function callerOf({ method, url = '', headers }: IncomingMessage, callers: ReadonlyMap<string, WaitingCaller>) {
  const caller = method === 'POST' && url.startsWith(PATH) ? callers.get(url.slice(PATH.length)) : undefined;
  // Compared where nobody waits, too, so that the time says nothing.
  const isRight = isSame(headers.authorization ?? '', `Bearer ${caller?.listener.token ?? ''}`);
  return isRight ? caller : undefined;
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
