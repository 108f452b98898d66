import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP way to a server that a test can cut and mend, as a network does. */
export interface BreakableLink {
  /** The server's URL by way of the link. */
  url: string;
  /** Breaks every connection and takes no new one. */
  cut(): void;
  /** Open connections stay open and bring nothing any more, as by a firewall that has forgotten them; new ones are good. */
  hang(): void;
  /** Takes new connections and brings nothing, until it is mended. */
  mute(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function openLink(serverUrl: string): Promise<BreakableLink> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let state: 'whole' | 'cut' | 'mute' = 'whole';

  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    if (state === 'cut') return void near.destroy();
    if (state === 'mute') return void sockets.add(near);
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
    state = 'cut';
    for (const socket of sockets) socket.destroy();
  }

  function hang(): void {
    for (const socket of sockets) socket.unpipe().pause();
  }

  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut,
    hang,
    mute() {
      hang();
      state = 'mute';
    },
    mend() {
      state = 'whole';
    },
    close() {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
