import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@mediagate/contracts';
import type { Channel } from '@mediagate/settings';
import { testChannel } from './test-channel';

export interface Heard {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Resolves when the connection of the call is closed, or its answer sent. */
  closed: Promise<unknown>;
}

/** The vendor's answer to one call. */
export type Script = (response: ServerResponse, heard: Heard) => void;

export interface TextVendor {
  channel(more?: Partial<Channel>): Channel;
  heard: Heard[];
  /** Sets the script of the next call; all other calls follow the first script. */
  next(script: Script): void;
  close(): Promise<void>;
}

export const USAGE = { promptTokenCount: 5, candidatesTokenCount: 7, thoughtsTokenCount: 2, totalTokenCount: 14 };

export function answer(text: string, more: JsonObject = { usageMetadata: USAGE }): JsonObject {
  return { candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }], ...more };
}

export const says =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Script =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

export const refuses = (status: number, word: string, message = 'the vendor says no'): Script =>
  says({ error: { code: status, message, status: word } }, status);

/** Sends events; `end` says what happens after the last of them. */
export const streams =
  (events: readonly unknown[], end: (response: ServerResponse) => void = (response) => response.end()): Script =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) response.write(`data: ${JSON.stringify(event)}\r\n\r\n`);
    setImmediate(() => end(response));
  };

/** A vendor of the native text protocol that tests script. */
export async function openTextVendor(script: Script): Promise<TextVendor> {
  const heard: Heard[] = [];
  const scripts: Script[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = {
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      closed: once(response, 'close'),
    };
    heard.push(call);
    (scripts.shift() ?? script)(response, call);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    heard,
    next: (following) => void scripts.push(following),
    channel: (more) =>
      testChannel('text-main', {
        baseUrl: `http://127.0.0.1:${port}/v1beta`,
        apiKey: 'vendor-key',
        models: new Map([['text-2.5-flash', 'vendor-flash']]),
        ...more,
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      // It would have answered the call of another test.
      if (scripts.length > 0) throw new Error(`no call came for ${scripts.length} scripts`);
    },
  };
}
