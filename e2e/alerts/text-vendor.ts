import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A vendor of texts that answers what a test wants, when it wants it. */
export interface TextVendor {
  url: string;
  /** Answers the next call: that it used as many tokens, and as which model. */
  answer(outputTokens: number, modelVersion?: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startTextVendor(): Promise<TextVendor> {
  const waiting: ServerResponse[] = [];
  let onCall: () => void = () => undefined;
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      waiting.push(response);
      onCall();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function nextCall(): Promise<ServerResponse> {
    for (;;) {
      const response = waiting.shift();
      if (response) return response;
      await new Promise<void>((resolve) => {
        onCall = resolve;
      });
    }
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async answer(candidatesTokenCount, modelVersion) {
      const response = await nextCall();
      const content = { role: 'model', parts: [{ text: 'So that they are told apart.' }] };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          candidates: [{ content, finishReason: 'STOP' }],
          modelVersion,
          usageMetadata: { promptTokenCount: 5, candidatesTokenCount, totalTokenCount: 5 + candidatesTokenCount },
        }),
      );
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
