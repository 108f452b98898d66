import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MediaBytes } from '@mediagate/contracts';

/** Puts bytes at a place of a file, in place of so many that stand there. */
export interface Edit {
  at: number;
  remove: number;
  insert: Buffer;
  /** Frames a store of manifests that has the size of the one in `insert`, which stands for it. */
  frame?: (store: Buffer) => Buffer;
}

/** Returns the bytes with these edits, which are in order; a file becomes another one beside it, piece by piece. */
export async function withEdits(bytes: MediaBytes, edits: readonly Edit[]): Promise<MediaBytes> {
  if (Buffer.isBuffer(bytes)) {
    const kept = partsBetween(edits, bytes.length).map((part) =>
      Buffer.isBuffer(part) ? part : bytes.subarray(part.start, part.end),
    );
    return Buffer.concat(kept);
  }
  const { path, totalBytes } = bytes;
  const edited = `${path}-marked`;
  // One of an earlier try may have a second name in the storage, and must not be written over.
  await rm(edited, { force: true });
  try {
    await pipeline(Readable.from(read(path, partsBetween(edits, totalBytes))), createWriteStream(edited));
    return { path: edited, totalBytes: (await stat(edited)).size };
  } catch (error) {
    await rm(edited, { force: true });
    throw error;
  }
}

type Part = Buffer | { start: number; end: number };

function partsBetween(edits: readonly Edit[], totalBytes: number): Part[] {
  const parts: Part[] = [];
  let position = 0;
  for (const { at, remove, insert } of edits) {
    parts.push({ start: position, end: at }, insert);
    position = at + remove;
  }
  return [...parts, { start: position, end: totalBytes }];
}

async function* read(path: string, parts: readonly Part[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if (Buffer.isBuffer(part)) yield part;
    else if (part.end > part.start) {
      yield* createReadStream(path, { start: part.start, end: part.end - 1, highWaterMark: 256 * 1024 });
    }
  }
}
