import http from 'node:http';
import https from 'node:https';
import type { TLSSocket } from 'node:tls';

/** Why a connection was given up before it could carry anything. */
export class ConnectTimeoutError extends Error {
  constructor(connectTimeoutMs: number) {
    super(`no connection within ${connectTimeoutMs} ms`);
    this.name = 'ConnectTimeoutError';
  }
}

export interface ConnectionWatch {
  /** For axios's `transport`. */
  transport: { request(options: https.RequestOptions, onResponse: (response: http.IncomingMessage) => void): object };
  /**
   * True from the moment the connection could carry bytes: connected and, with TLS, the peer verified. While false, the
   * vendor cannot have seen the request, whatever the error was: refused, unknown host, TLS failure, still queued.
   */
  maySendBytes(): boolean;
}

/**
 * Watches the one request that is made through `transport`. Error codes cannot tell a request that never left from one
 * that did (`ECONNRESET` and `ETIMEDOUT` come in both); the state of the socket can. Also bounds the connection phase,
 * which begins when the agent gives the request a new socket: waiting for a free one is bounded by the caller's deadline.
 */
export function watchConnection(connectTimeoutMs: number): ConnectionWatch {
  let ready = false;
  return {
    maySendBytes: () => ready,
    transport: {
      request(options, onResponse) {
        const request = (options.protocol === 'https:' ? https : http).request(options, onResponse);
        request.once('socket', (socket) => {
          if (!isConnecting(socket)) {
            ready = true;
            return;
          }
          const timer = setTimeout(() => request.destroy(new ConnectTimeoutError(connectTimeoutMs)), connectTimeoutMs);
          socket.once(isTls(socket) ? 'secureConnect' : 'connect', () => {
            ready = true;
            clearTimeout(timer);
          });
          socket.once('close', () => clearTimeout(timer));
        });
        return request;
      },
    },
  };
}

type Socket = http.ClientRequest['socket'];

function isTls(socket: Socket): socket is TLSSocket {
  return 'encrypted' in (socket ?? {});
}

/** `secureConnecting` is Node's own flag for a handshake in progress; its types leave it out. */
function isConnecting(socket: NonNullable<Socket>): boolean {
  return socket.connecting || (isTls(socket) && (socket as { secureConnecting?: boolean }).secureConnecting === true);
}
