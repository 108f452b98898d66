import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Translator } from '../src';

export interface Asked {
  text: string;
  language: string;
  response: ServerResponse;
  /** Resolves when the asker goes away, or has its answer. */
  closed: Promise<unknown>;
}

export interface TranslationServer {
  translator: Translator;
  asked: Asked[];
  /** Resolves once so many requests have come. */
  heard(count: number): Promise<void>;
  close(): Promise<void>;
}

/** An upstream over HTTP that translates as `answer` says; without an answer it stays silent. */
export async function openTranslationServer(
  answer: (asked: Asked) => string | number | undefined,
): Promise<TranslationServer> {
  const asked: Asked[] = [];
  const listeners = new Set<() => void>();
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    const call: Asked = {
      text: url.searchParams.get('text') ?? '',
      language: url.searchParams.get('language') ?? '',
      response,
      closed: once(response, 'close'),
    };
    asked.push(call);
    const said = answer(call);
    if (typeof said === 'number') response.writeHead(said).end();
    else if (said !== undefined) response.end(said);
    for (const notify of listeners) notify();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    asked,
    async translator(text, language, signal) {
      const query = new URLSearchParams({ text, language });
      const response = await fetch(`http://127.0.0.1:${port}/?${query}`, { signal });
      if (!response.ok) throw new Error(`status ${response.status}`);
      return await response.text();
    },
    heard: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (asked.length < count) return;
          listeners.delete(check);
          resolve();
        };
        listeners.add(check);
        check();
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
