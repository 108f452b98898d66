import { EgressError } from './egress-error';
import type { FilePart, Incoming } from './incoming';

/** The part of a file that is missing; the server must still have the version that the first bytes were of. */
export interface MissingPart extends FilePart {
  etag: string;
}

export interface Reopened {
  body: AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/** Connections that may break off under one file, each with more of it. */
const MAX_RESUMES = 64;

/**
 * The body of a file whose connections break off: the missing part is asked for on the next one, as long as each brings more.
 * Fails as the last connection did where the server names no version or no length, or has another file by now.
 */
export async function* resumed(
  first: Incoming,
  reopen: (missing: MissingPart) => Promise<Reopened | undefined>,
): AsyncGenerator<Buffer> {
  let received = 0;
  let connection: Reopened = { body: first.body, close: async () => undefined };
  for (let resumes = 0; ; resumes += 1) {
    const before = received;
    let cut: EgressError;
    try {
      for await (const chunk of connection.body) {
        received += chunk.length;
        yield chunk;
      }
      return;
    } catch (error) {
      if (!isCut(error) || received === before || resumes >= MAX_RESUMES) throw error;
      cut = error;
    } finally {
      await connection.close();
    }
    const { etag, totalBytes } = first;
    if (etag === undefined || totalBytes === undefined) throw cut;
    const next = await reopen({ start: received, end: totalBytes - 1, etag });
    if (next === undefined) throw cut;
    connection = next;
  }
}

function isCut(error: unknown): error is EgressError {
  return error instanceof EgressError && error.reason === 'network';
}
