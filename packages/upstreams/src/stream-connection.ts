import type { Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher } from 'undici';

/** One connection to one origin, for one exchange at a time. Opened when it is first needed, and anew when it was closed. */
export interface StreamConnection {
  /** What comes is reported to the handler, errors included. */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Takes no more from the vendor, whose own sending comes to a stop once the system's buffers are full. */
  hold(): void;
  release(): void;
  /** For good: an exchange under way breaks off. */
  destroy(): Promise<void>;
  readonly destroyed: boolean;
}

export interface StreamConnectionOptions {
  /** From the first look-up until the connection can carry bytes, TLS included. */
  connectTimeoutMs: number;
  /** An unused connection is closed after this. */
  idleMs: number;
}

/**
 * Back-pressure is put on the socket and not on undici's parser: undici 7 ends the process by a failed assertion
 * (nodejs/undici#5360) when a vendor closes a connection that it does not keep alive while the parser is paused.
 */
export function openStreamConnection(origin: string, options: StreamConnectionOptions): StreamConnection {
  const connect = buildConnector({ timeout: options.connectTimeoutMs, allowH2: false });
  let reading: Gate | undefined;
  const client = new Client(origin, {
    connect: (target, callback) =>
      connect(target, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        reading = gateReads(socket);
        callback(null, socket);
      }),
    pipelining: 1,
    keepAliveTimeout: options.idleMs,
    keepAliveMaxTimeout: options.idleMs,
    // The clocks are the exchange's: these would not see the wait for a connection, and would take a held one for silent.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    dispatch: (request, handler) => void client.dispatch(request, handler),
    hold: () => reading?.close(),
    release: () => reading?.open(),
    destroy: () => client.destroy(),
    get destroyed() {
      return client.destroyed;
    },
  };
}

interface Gate {
  close(): void;
  open(): void;
}

/**
 * While the gate is closed, reading gives nothing, so that the socket's buffer fills and the socket stops reading too. Reads
 * of no bytes pass: Node makes them itself, to notice the end of what came.
 */
function gateReads(socket: Socket): Gate {
  const read = socket.read.bind(socket);
  let closed = false;
  socket.read = (size?: number) => (closed && size !== 0 ? null : read(size));
  return {
    close() {
      closed = true;
    },
    open() {
      if (!closed) return;
      closed = false;
      // Not at once: this may be asked for in the middle of the parser's work on the bytes before.
      process.nextTick(() => {
        if (!closed && !socket.destroyed) socket.emit('readable');
      });
    },
  };
}
