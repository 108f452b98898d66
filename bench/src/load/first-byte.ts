import { Agent, type IncomingMessage, request } from 'node:http';

export interface StreamLoad {
  url: string;
  headers: Record<string, string>;
  body: string;
  callers: number;
  durationMs: number;
}

export interface StreamResult {
  /** Answers that came whole. */
  answers: number;
  bytes: number;
  seconds: number;
  failures: number;
  /** From sending the request to the first byte of the answer's body, of each whole answer. */
  firstByteMs: number[];
}

/** So many callers, each of whom reads one streamed answer to its end before it asks for the next; each asks at least once. */
export async function runStreamLoad({ url, headers, body, callers, durationMs }: StreamLoad): Promise<StreamResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const bytes = Buffer.from(body);
  const options = { method: 'POST', agent, headers: { ...headers, 'content-length': bytes.length } };
  const result: StreamResult = { answers: 0, bytes: 0, seconds: 0, failures: 0, firstByteMs: [] };
  const startedAt = performance.now();

  async function call(): Promise<void> {
    do {
      const answer = await readAnswer(url, options, bytes);
      if (answer === undefined) {
        result.failures += 1;
        continue;
      }
      result.answers += 1;
      result.bytes += answer.bytes;
      result.firstByteMs.push(answer.firstByteMs);
    } while (performance.now() - startedAt < durationMs);
  }

  await Promise.all(Array.from({ length: callers }, call));
  result.seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  return result;
}

/** Undefined: refused, or broken off. */
function readAnswer(
  url: string,
  options: object,
  body: Buffer,
): Promise<{ bytes: number; firstByteMs: number } | undefined> {
  return new Promise((resolve) => {
    const sentAt = performance.now();
    const call = request(url, options, (response: IncomingMessage) => {
      let bytes = 0;
      let firstByteMs = 0;
      response.on('data', (chunk: Buffer) => {
        if (bytes === 0) firstByteMs = performance.now() - sentAt;
        bytes += chunk.length;
      });
      response.once('close', () => {
        const isWhole = response.complete && response.statusCode === 200 && bytes > 0;
        resolve(isWhole ? { bytes, firstByteMs } : undefined);
      });
      response.once('error', () => resolve(undefined));
    });
    call.once('error', () => resolve(undefined));
    call.end(body);
  });
}
