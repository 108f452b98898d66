import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ByteSource } from './byte-source';

export interface SpoolOptions {
  body: AsyncIterable<Buffer>;
  /** The size that the server announced; undefined: the body is read to its end first, to know. */
  totalBytes: number | undefined;
}

/**
 * Calls `use` with a file that can only be had from its first byte on: it is read as far as the furthest byte asked for,
 * and kept on disk, whatever its size, in a file that has no name any more: nothing is left behind even by a crash.
 */
export async function withSpooledSource<T>(options: SpoolOptions, use: (source: ByteSource) => Promise<T>): Promise<T> {
  const handle = await openUnnamed();
  const chunks = options.body[Symbol.asyncIterator]();
  try {
    return await use(await spool(handle, chunks, options.totalBytes));
  } finally {
    await chunks.return?.();
    await handle.close();
  }
}

async function openUnnamed(): Promise<FileHandle> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mediagate-spool-'));
  try {
    return await open(path.join(folder, 'file'), 'wx+');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function spool(
  handle: FileHandle,
  chunks: AsyncIterator<Buffer>,
  announced: number | undefined,
): Promise<ByteSource> {
  let received = 0;
  let ended = false;
  /** One reader of the body at a time; the next goes on where it stopped. */
  let turn: Promise<void> = Promise.resolve();

  async function receive(end: number): Promise<void> {
    while (!ended && received < end) {
      const next = await chunks.next();
      if (next.done) ended = true;
      else {
        await handle.write(next.value, 0, next.value.length, received);
        received += next.value.length;
      }
    }
  }

  async function read(start: number, end: number): Promise<Buffer> {
    turn = turn.then(() => receive(end));
    await turn;
    const bytes = Buffer.alloc(Math.max(0, Math.min(end, received) - start));
    await handle.read(bytes, 0, bytes.length, start);
    return bytes;
  }

  if (announced === undefined) await receive(Number.POSITIVE_INFINITY);
  return { totalBytes: announced ?? received, read };
}
