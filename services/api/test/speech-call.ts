import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { TestApi } from './test-api';

/** One caller of speech, on a connection of its own, who can read slowly, stop reading, or hang up. */
export interface SpeechCall {
  /** Resolves with the head of the answer. */
  head: Promise<{ status: number; headers: IncomingHttpHeaders; taskId: string }>;
  /** Reads until at least so many bytes more have come, and no further. */
  read(atLeast: number): Promise<Buffer>;
  /** Reads to the end. Rejects when the answer is broken off. */
  rest(): Promise<Buffer>;
  error(): Promise<{ status: number; error: unknown; taskId: string }>;
  hangUp(): void;
}

export function callSpeech(
  { url }: Pick<TestApi, 'url'>,
  {
    key,
    path = '/v1/audio/speech',
    headers = {},
    ...body
  }: { key: string; path?: string; headers?: Record<string, string> } & Record<string, unknown>,
): SpeechCall {
  const agent = new Agent({ keepAlive: false });
  const sent = request(`${url}${path}`, {
    method: 'POST',
    agent,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  });
  const answer = once(sent, 'response').then(([response]) => response as IncomingMessage);
  answer.catch(() => undefined);
  sent.on('error', () => undefined);
  sent.end(JSON.stringify({ model: 'ttsmodel-mini', voice: 'coral', ...body }));
  const head = answer.then(({ statusCode = 0, headers }) => ({
    status: statusCode,
    headers,
    taskId: String(headers['x-task-id'] ?? ''),
  }));
  head.catch(() => undefined);

  async function rest(): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of await answer) parts.push(part as Buffer);
    return Buffer.concat(parts);
  }

  return {
    head,
    rest,
    async read(atLeast) {
      const response = await answer;
      const parts: Buffer[] = [];
      for (let size = 0; size < atLeast; ) {
        const part = response.read() as Buffer | null;
        if (part === null) await once(response, 'readable');
        else {
          parts.push(part);
          size += part.length;
        }
      }
      return Buffer.concat(parts);
    },
    async error() {
      const { status, taskId } = await head;
      return { status, taskId, error: JSON.parse((await rest()).toString('utf8')).error };
    },
    hangUp: () => void sent.destroy(),
  };
}
