import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { FormParts, Reply } from './fixtures';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Answers the request at `index` (from 0); a promise that never settles leaves the caller waiting. */
export type Replay = (response: ServerResponse, index: number) => void;

export interface ReplayServer {
  origin: string;
  received: ReceivedRequest[];
  /** Connections taken since the start. */
  connections(): number;
  /** Resolves when the server has read `count` whole requests. */
  waitFor(count: number): Promise<void>;
  close(): Promise<void>;
}

/** A real HTTP server on loopback that records whole requests before it answers. */
export async function startReplayServer(replay: Replay): Promise<ReplayServer> {
  const received: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  const waiting: { count: number; resolve: () => void }[] = [];
  let connections = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    received.push({ method, path: url, headers, body: Buffer.concat(chunks) });
    for (const { count, resolve } of waiting) if (received.length >= count) resolve();
    replay(response, received.length - 1);
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    connections: () => connections,
    waitFor: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Answers with these, one after the other, each once: a request too many is a 500. Throws for a fixture without replies. */
export function replayReplies(...replies: readonly (Reply | undefined)[]): Promise<ReplayServer> {
  if (replies.includes(undefined)) throw new Error('a fixture without replies');
  return startReplayServer((response, index) => {
    const reply = replies[index];
    if (reply) replyWith(response, reply.status, reply.headers, reply.body ?? Buffer.from(reply.base64, 'base64'));
    else replyWith(response, 500, {}, { error: 'no reply is left' });
  });
}

/** A loopback origin where nothing listens. */
export async function closedOrigin(): Promise<string> {
  const server = await startReplayServer(() => undefined);
  await server.close();
  return server.origin;
}

export function replyWith(response: ServerResponse, status: number, headers: Record<string, string>, body: unknown) {
  const isBytes = typeof body === 'string' || Buffer.isBuffer(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(isBytes ? body : JSON.stringify(body));
}

/** Reads a multipart body with the platform's own parser, which shares nothing with what wrote it. */
export async function readForm({ headers, body }: ReceivedRequest): Promise<FormParts> {
  const contentType = headers['content-type'] ?? '';
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  const parts: FormParts = { fields: {}, files: [] };
  for (const [field, value] of form) {
    if (typeof value === 'string') parts.fields[field] = value;
    else {
      const base64 = Buffer.from(await value.arrayBuffer()).toString('base64');
      parts.files.push({ field, filename: value.name, contentType: value.type, base64 });
    }
  }
  return parts;
}
