import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';

/** The bytes of a medium: in memory where they are few, else in a file that belongs to whoever made it. */
export type MediaBytes = Buffer | FileOnDisk;

export interface FileOnDisk {
  path: string;
  totalBytes: number;
}

export function bytesIn(content: MediaBytes): number {
  return Buffer.isBuffer(content) ? content.length : content.totalBytes;
}

/** A body that a storage takes in. */
export interface Upload {
  body: Buffer | Readable;
  totalBytes: number;
  /** The SHA-256 of all that was read of the body; to be called once the body has ended. */
  digest(): Buffer;
}

/** Reads a file once, and only as far as it is asked to. */
export function openUpload(content: MediaBytes): Upload {
  const hash = createHash('sha256');
  if (Buffer.isBuffer(content)) {
    return { body: content, totalBytes: content.length, digest: () => hash.update(content).digest() };
  }
  const { path, totalBytes } = content;
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk);
      yield chunk;
    }
  }
  return { body: Readable.from(hashed(), { objectMode: false }), totalBytes, digest: () => hash.digest() };
}
