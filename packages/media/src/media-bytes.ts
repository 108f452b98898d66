import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { FileOnDisk, MediaBytes } from '@mediagate/contracts';

/** A body that a storage takes in. */
export interface Upload {
  body: Buffer | Readable;
  totalBytes: number;
  /** The SHA-256 of all that was read of the body; to be called once the body has ended. */
  digest(): Buffer;
}

/** A file is read in pieces of so many bytes: each costs a turn of the event loop, and several tasks read at once. */
const PIECE_BYTES = 256 * 1024;

/** Reads a file once, and only as far as it is asked to. */
export function openUpload(content: MediaBytes): Upload {
  if (!Buffer.isBuffer(content)) return openFile(content);
  return { body: content, totalBytes: content.length, digest: () => createHash('sha256').update(content).digest() };
}

function openFile({ path, totalBytes, sha256 }: FileOnDisk): Upload {
  const stream = createReadStream(path, { end: Math.max(0, totalBytes - 1), highWaterMark: PIECE_BYTES });
  if (sha256 !== undefined) return { body: stream, totalBytes, digest: () => sha256 };
  const hash = createHash('sha256');
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      hash.update(chunk);
      yield chunk;
    }
  }
  return { body: Readable.from(hashed(), { objectMode: false }), totalBytes, digest: () => hash.digest() };
}
