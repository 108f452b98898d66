import { promisify } from 'node:util';
import { brotliDecompress, constants, unzip, zstdDecompress } from 'node:zlib';
import { type Compression, compressionsOf, MAX_COMPRESSIONS } from '@mediagate/contracts';
import type { BytesBody, UnreadBody } from './json-body';

type Decode = (bytes: Buffer, maxOutputLength: number) => Promise<Buffer>;

// Servers that leave out the last bytes of the format have still sent the whole text, so none waits for them.
const GZIP: Decode = (bytes, maxOutputLength) =>
  promisify(unzip)(bytes, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });

const GZIP_START = 0x1f8b;

/** Decoders of compressions that no request of ours asks for, and some servers send all the same. */
const DECODERS: Readonly<Record<Compression, Decode>> = {
  // Some servers label a body as gzip that is not compressed.
  gzip: async (bytes, maxOutputLength) => (bytes.readUInt16BE(0) === GZIP_START ? GZIP(bytes, maxOutputLength) : bytes),
  deflate: (bytes, maxOutputLength) => GZIP(withZlibHeader(bytes), maxOutputLength),
  br: (bytes, maxOutputLength) =>
    promisify(brotliDecompress)(bytes, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: (bytes, maxOutputLength) =>
    promisify(zstdDecompress)(bytes, { maxOutputLength, finishFlush: constants.ZSTD_e_flush }),
};

/** The body without its compressions. Never more than `maxBytes`: a bomb is cut there. */
export async function decodeBody(
  body: BytesBody,
  encoding: string | undefined,
  maxBytes: number,
): Promise<BytesBody | UnreadBody> {
  if (body.bytes.length < 2) return body;
  try {
    let { bytes } = body;
    const compressions = compressionsOf(encoding);
    if (compressions.length > MAX_COMPRESSIONS) return { kind: 'unreadable', why: 'truncated' };
    for (const compression of compressions.reverse()) bytes = await DECODERS[compression](bytes, maxBytes);
    return { kind: 'bytes', bytes };
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return { kind: 'unreadable', why: isTooLarge ? 'too_large' : 'truncated' };
  }
}

const ZLIB_HEADER = Buffer.from([0x78, 0x9c]);

/** Some servers send `deflate` without the two bytes by which it is known. */
function withZlibHeader(bytes: Buffer): Buffer {
  return bytes[0] === ZLIB_HEADER[0] ? bytes : Buffer.concat([ZLIB_HEADER, bytes]);
}
