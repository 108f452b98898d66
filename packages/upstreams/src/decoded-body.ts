import { promisify } from 'node:util';
import { brotliDecompress, constants, unzip, zstdDecompress } from 'node:zlib';
import type { FileBody, UnreadBody } from './json-body';

type Decode = (bytes: Buffer, maxOutputLength: number) => Promise<Buffer>;

// Servers that leave out the last bytes of the format have still sent the whole text, so none waits for them.
const GZIP: Decode = (bytes, maxOutputLength) =>
  promisify(unzip)(bytes, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });

/** Of encodings that no request of ours asks for, and some servers send all the same. */
const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: GZIP,
  'x-gzip': GZIP,
  compress: GZIP,
  'x-compress': GZIP,
  deflate: (bytes, maxOutputLength) => GZIP(withZlibHeader(bytes), maxOutputLength),
  br: (bytes, maxOutputLength) =>
    promisify(brotliDecompress)(bytes, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: (bytes, maxOutputLength) =>
    promisify(zstdDecompress)(bytes, { maxOutputLength, finishFlush: constants.ZSTD_e_flush }),
};

/** The body without its `content-encoding`; one that is not known stays. Never more than `maxBytes`: a bomb is cut there. */
export async function decodeBody(
  body: FileBody,
  encoding: string | undefined,
  maxBytes: number,
): Promise<FileBody | UnreadBody> {
  const decode = encoding === undefined ? undefined : DECODERS[encoding.toLowerCase()];
  if (decode === undefined || body.bytes.length === 0) return body;
  try {
    return { kind: 'file', bytes: await decode(body.bytes, maxBytes) };
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
