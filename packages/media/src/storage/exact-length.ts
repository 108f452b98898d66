import { Readable } from 'node:stream';

/** The same bytes, and an error instead of an end when there are more or fewer than `bytes`. */
export function exactLength(body: Buffer | Readable, bytes: number): Readable {
  return Readable.from(exactChunks(body, bytes), { objectMode: false });
}

/** The same, for callers that take one chunk after the other. */
export async function* exactChunks(body: Buffer | Readable, bytes: number): AsyncGenerator<Buffer> {
  const chunks: Iterable<Buffer> | AsyncIterable<Buffer> = Buffer.isBuffer(body) ? [body] : body;
  let count = 0;
  for await (const chunk of chunks) {
    count += chunk.length;
    if (count > bytes) throw new Error(`the body is longer than the ${bytes} bytes announced`);
    yield chunk;
  }
  if (count < bytes) throw new Error(`the body has ${count} of the ${bytes} bytes announced`);
}
