import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';

/** The bytes of a result file, in memory or on disk. */
export interface Content {
  contentType: string;
  etag: string;
  lengthBytes: number;
  /** From byte `start` to byte `end`, both included. */
  stream(range: { start: number; end: number }): Readable;
  bytes(): Promise<Buffer>;
}

export function contentOfBytes(bytes: Buffer, contentType: string): Content {
  return {
    contentType,
    etag: etagOf(bytes),
    lengthBytes: bytes.length,
    stream: ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)]),
    bytes: () => Promise.resolve(bytes),
  };
}

/** A file that does not change while it is there. */
export async function contentOfFile(path: string, contentType: string): Promise<Content> {
  const bytes = await readFile(path);
  return {
    contentType,
    etag: etagOf(bytes),
    lengthBytes: bytes.length,
    stream: (range) => createReadStream(path, range),
    bytes: () => readFile(path),
  };
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}
