import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FileOnDisk, MediaBytes } from '@mediagate/contracts';
import type { ObjectBody } from './storage/storage';

/** A body that a storage takes in. */
export interface Upload {
  body: ObjectBody;
  totalBytes: number;
  /** The SHA-256 of all that was read of the body; to be called once the body has ended. */
  digest(): Buffer;
}

/** A file is read in pieces of so many bytes: each costs a turn of the event loop, and several tasks read at once. */
const PIECE_BYTES = 256 * 1024;

/** A file whose hash is not known is read once, and only as far as it is asked to. */
export function openUpload(content: MediaBytes): Upload {
  if (Buffer.isBuffer(content)) {
    return { body: content, totalBytes: content.length, digest: () => createHash('sha256').update(content).digest() };
  }
  const { totalBytes, sha256 } = content;
  return sha256 === undefined ? openHashed(content) : { body: content, totalBytes, digest: () => sha256 };
}

function openHashed({ path, totalBytes }: FileOnDisk): Upload {
  const hash = createHash('sha256');
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of openFile({ path, totalBytes })) {
      hash.update(chunk);
      yield chunk;
    }
  }
  return { body: Readable.from(hashed(), { objectMode: false }), totalBytes, digest: () => hash.digest() };
}

/** All of a medium, in memory. */
export async function readMedium(content: MediaBytes): Promise<Buffer> {
  return Buffer.isBuffer(content) ? content : buffer(openFile(content));
}

/** The bytes of a file. */
export function openFile({ path, totalBytes }: FileOnDisk): AsyncIterable<Buffer> & Readable {
  return createReadStream(path, { end: Math.max(0, totalBytes - 1), highWaterMark: PIECE_BYTES });
}
