import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP way to a server that a test can cut and mend, as a network does. */
export interface BreakableLink {
  /** The server's URL by way of the link. */
  url: string;
  /** Breaks every connection and takes no new one. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function openLink(serverUrl: string): Promise<BreakableLink> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let whole = true;

  const server = createServer((near) => {
    if (!whole) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  function cut(): void {
    whole = false;
    for (const socket of sockets) socket.destroy();
  }

  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut,
    mend() {
      whole = true;
    },
    close() {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
