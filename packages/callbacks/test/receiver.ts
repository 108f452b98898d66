import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** One callback as it came over the wire. */
export interface Received {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** How a receiver treats a request once it has read all of it. */
export type Behaviour = (socket: Socket) => void;

export interface Receiver {
  origin: string;
  received: Received[];
  /** Sockets that were opened, whether or not a request came. */
  connections(): number;
  /** How the next requests are met, in turn; the last one stays. */
  behave(...behaviours: Behaviour[]): void;
  /** Resolves with what was received once it is this many. */
  waitFor(count: number): Promise<Received[]>;
  /** Breaks off every connection that is open. */
  cutAll(): void;
  close(): Promise<void>;
}

/** A receiver on a bare socket, so that it can break every rule of HTTP. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const watchers = new Set<() => void>();
  let behaviours: Behaviour[] = [answer(200)];
  let connections = 0;

  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A sender that cuts the connection is part of the tests.
    socket.on('error', () => socket.destroy());
    readRequest(socket, (request) => {
      received.push(request);
      const [behaviour = answer(200)] = behaviours;
      if (behaviours.length > 1) behaviours = behaviours.slice(1);
      behaviour(socket);
      for (const notify of watchers) notify();
    });
  });
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    connections: () => connections,
    behave(...next) {
      behaviours = next;
    },
    waitFor: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (received.length < count) return;
          watchers.delete(check);
          resolve(received);
        };
        watchers.add(check);
        check();
      }),
    cutAll,
    async close() {
      cutAll();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The first byte of a TLS handshake; servers without TLS answer it in plain text and hang up. */
const TLS_HANDSHAKE = 0x16;

function readRequest(socket: Socket, whole: (request: Received) => void): void {
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes[0] === TLS_HANDSHAKE) socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    const headEnd = bytes.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const [requestLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const body = bytes.subarray(headEnd + 4);
    if (body.length < Number(headers['content-length'])) return;
    const [method = '', path = ''] = requestLine.split(' ');
    whole({ method, path, headers, body: body.toString('utf8') });
  });
}

export function answer(status: number, headers: Record<string, string> = {}): Behaviour {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return raw(`HTTP/1.1 ${status} Status\r\n${lines.join('')}content-length: 2\r\nconnection: close\r\n\r\nok`);
}

/** These bytes, then the end of the connection. */
function raw(text: string): Behaviour {
  return (socket) => socket.end(text);
}

export const hang: Behaviour = () => {};
