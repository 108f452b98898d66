import { once } from 'node:events';
import { createServer } from 'node:http';

export interface FileServer {
  /** `http://127.0.0.1:…/`, with the slash. */
  url: string;
  /** Paths asked for, in order. */
  asked: string[];
  close(): Promise<void>;
}

/** Serves a few files by name, and 404 for the rest: what a caller's own web server is to a vendor. */
export async function serveFiles(files: Record<string, Buffer>): Promise<FileServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const name = (request.url ?? '/').slice(1);
    asked.push(name);
    const file = files[name];
    response.writeHead(file ? 200 : 404).end(file);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
