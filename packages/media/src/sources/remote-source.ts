import { message } from '@mediagate/contracts';
import { collect, EgressError, type GuardedClient, type StreamOptions, startDeadline } from '@mediagate/egress';
import { type ByteSource, bufferSource } from './byte-source';
import { createPieceSource, FIRST_PIECE_BYTES } from './piece-source';
import { withSpooledSource } from './spooled-source';

export interface RemoteFile {
  client: Pick<GuardedClient, 'stream'>;
  url: string;
  maxBytes: number;
  accept: string;
  /** The time limit of all reads of the file together. */
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Calls `use` with a file of the web: by parts where its server knows them, each part judged and connected like a first
 * request; else, or where its parts are compressed, from one answer, read as far as needed. Throws EgressError.
 */
export async function withRemoteSource<T>(
  { client, url, maxBytes, accept, timeoutMs, signal }: RemoteFile,
  use: (source: ByteSource, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = startDeadline(timeoutMs, () => expired(timeoutMs), signal);
  const options = { maxBytes, accept, timeoutMs, signal: deadline.signal };
  try {
    let isReceived = false;
    const ask = (wanted: Pick<StreamOptions, 'part'>) =>
      client.stream(url, { ...options, ...wanted }, async ({ body, part, totalBytes }) => {
        isReceived = true;
        // Whatever else the file is asked for comes out of this one answer.
        if (part === undefined) {
          return { result: await withSpooledSource({ body, totalBytes }, (source) => use(source, deadline.signal)) };
        }
        return { head: await collect(body), totalBytes };
      });
    const first = await ask({ part: partOf(0, FIRST_PIECE_BYTES) }).catch((error: unknown) => {
      if (isReceived || !isCompressedPart(error)) throw error;
      return ask({});
    });
    if ('result' in first) return first.result;
    const { head, totalBytes = sizeOf(head) } = first;
    const fetch = (start: number, end: number) => fetchPart(client, url, { ...options, start, end, totalBytes });
    return await use(createPieceSource({ totalBytes, fetch, head }), deadline.signal);
  } catch (error) {
    if (isEmptyFile(error)) return await use(bufferSource(Buffer.alloc(0)), deadline.signal);
    throw error;
  } finally {
    deadline.clear();
  }
}

async function fetchPart(
  client: Pick<GuardedClient, 'stream'>,
  url: string,
  { start, end, totalBytes, ...options }: StreamOptions & { start: number; end: number; totalBytes: number },
): Promise<Buffer> {
  return client.stream(url, { ...options, part: partOf(start, end) }, async (file) => {
    if (file.part === undefined || file.totalBytes !== totalBytes) {
      throw new EgressError('range', message('file_changed'));
    }
    return collect(file.body);
  });
}

function partOf(start: number, end: number): { start: number; end: number } {
  return { start, end: end - 1 };
}

/** A server that does not tell the size of a file sent all of it, if it sent less than was asked for. */
function sizeOf(head: Buffer): number {
  if (head.length < FIRST_PIECE_BYTES) return head.length;
  throw new EgressError('range', message('size_unknown'));
}

/** A part of compressed bytes cannot be inflated, and the whole of them can. */
function isCompressedPart(error: unknown): boolean {
  return error instanceof EgressError && error.reason === 'encoding';
}

/** An empty file has no first part, so its server answers 416. */
function isEmptyFile(error: unknown): boolean {
  return error instanceof EgressError && error.status === 416;
}

function expired(timeoutMs: number): EgressError {
  return new EgressError('timeout', message('server_timeout', { seconds: timeoutMs / 1000 }));
}
