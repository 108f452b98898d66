import { createServer, type RequestListener } from 'node:http';
import net from 'node:net';

export interface Listener {
  port: number;
  /** Connections that reached it so far. */
  connects(): number;
}

const open: { close(): Promise<void> }[] = [];

/** An HTTP server on a loopback address, counting what reaches it. */
export async function listen(handler: RequestListener, host = '127.0.0.1', port = 0): Promise<Listener> {
  const server = createServer(handler);
  return start(server, { host, port }, () => server.closeAllConnections());
}

/** A server that speaks no HTTP of its own: `serve` writes what it likes. */
export async function listenRaw(serve: (socket: net.Socket) => void, host = '127.0.0.1', port = 0): Promise<Listener> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    // A peer that was cut off resets the connection; that is what these tests provoke.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    serve(socket);
  });
  return start(server, { host, port }, () => {
    for (const socket of sockets) socket.destroy();
  });
}

export async function closeListeners(): Promise<void> {
  await Promise.all(open.splice(0).map((listener) => listener.close()));
}

async function start(server: net.Server, at: { host: string; port: number }, cut: () => void): Promise<Listener> {
  let connects = 0;
  server.on('connection', () => {
    connects += 1;
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, resolve);
  });
  open.push({
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  });
  return { port: (server.address() as net.AddressInfo).port, connects: () => connects };
}
