import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createInflateRaw, createUnzip, createZstdDecompress } from 'node:zlib';
import { type Compression, message } from '@mediagate/contracts';
import { EgressError } from './egress-error';

const GZIP_START = Buffer.from([0x1f, 0x8b]);
/** Servers that leave out the last bytes of the format have still sent the whole file. */
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };

/**
 * The body without one compression, inflated as it comes in. What is labelled gzip and does not begin as one is passed on as it is.
 * Fails with EgressError where the bytes cannot be inflated, and as the body does.
 */
export async function* inflated(body: AsyncIterable<Buffer>, compression: Compression): AsyncGenerator<Buffer> {
  const { head, whole } = await withHead(body);
  const inflate = inflaterOf(compression, head);
  if (inflate === undefined) {
    yield* whole;
    return;
  }
  const source = Readable.from(whole);
  // A failure of the body destroys the inflater with it, and is thrown below.
  pipeline(source, inflate, () => undefined);
  try {
    for await (const chunk of inflate) yield chunk as Buffer;
  } catch (error) {
    throw isOfFormat(error) ? new EgressError('encoding', message('server_compressed'), { cause: error }) : error;
  } finally {
    source.destroy();
    inflate.destroy();
  }
}

/** By the first two bytes: gzip and zlib say what they are, and `deflate` comes with and without the header of zlib. */
function inflaterOf(compression: Compression, head: Buffer): Transform | undefined {
  switch (compression) {
    case 'gzip':
      return head.equals(GZIP_START) ? createUnzip(LENIENT) : undefined;
    case 'deflate':
      return isZlib(head) ? createUnzip(LENIENT) : createInflateRaw(LENIENT);
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
  }
}

/** The method deflate, and a checksum over both bytes. */
function isZlib(head: Buffer): boolean {
  const [first = 0, second = 0] = head;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

function isOfFormat(error: unknown): boolean {
  return /^(?:Z_|ERR_|ZSTD_)/.test(String((error as NodeJS.ErrnoException | undefined)?.code ?? ''));
}

/** The first two bytes, fewer where there are no more, and the body with them. */
async function withHead(body: AsyncIterable<Buffer>): Promise<{ head: Buffer; whole: AsyncGenerator<Buffer> }> {
  const chunks = body[Symbol.asyncIterator]();
  let first: Buffer = Buffer.alloc(0);
  while (first.length < GZIP_START.length) {
    const next = await chunks.next();
    if (next.done) break;
    first = Buffer.concat([first, next.value]);
  }
  return { head: first.subarray(0, GZIP_START.length), whole: followedBy(first, chunks) };
}

async function* followedBy(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  } finally {
    await chunks.return?.();
  }
}
