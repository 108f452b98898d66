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
  /** How the others ended: with a status, or why the connection broke. */
  failures: string[];
  /** From sending the request to the first byte of the answer's body, of each whole answer. */
  firstByteMs: number[];
}

/** So many callers, each of whom reads one streamed answer to its end before it asks for the next; each asks at least once. */
export async function runStreamLoad({ url, headers, body, callers, durationMs }: StreamLoad): Promise<StreamResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const bytes = Buffer.from(body);
  const options = { method: 'POST', agent, headers: { ...headers, 'content-length': bytes.length } };
  const result: StreamResult = { answers: 0, bytes: 0, seconds: 0, failures: [], firstByteMs: [] };
  const startedAt = performance.now();

  async function call(): Promise<void> {
    do {
      const answer = await readAnswer(url, options, bytes);
      if (typeof answer === 'string') {
        result.failures.push(answer);
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

/** A text: refused, or broken off. */
function readAnswer(
  url: string,
  options: object,
  body: Buffer,
): Promise<{ bytes: number; firstByteMs: number } | string> {
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
        const { complete, statusCode } = response;
        const isWhole = complete && statusCode === 200 && bytes > 0;
        resolve(isWhole ? { bytes, firstByteMs } : `${statusCode}, ${complete ? 'whole' : 'cut'}, ${bytes} bytes`);
      });
      response.once('error', (error) => resolve(String(error)));
    });
    call.once('error', (error) => resolve(String(error)));
    call.end(body);
  });
}
