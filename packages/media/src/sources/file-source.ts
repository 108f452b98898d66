import { open } from 'node:fs/promises';
import type { MediaBytes } from '@mediagate/contracts';
import { type ByteSource, bufferSource } from './byte-source';

/** Calls `use` with the file at `path`, which is open for as long as that takes. */
export async function withFileSource<T>(path: string, use: (source: ByteSource) => Promise<T>): Promise<T> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const read = async (start: number, end: number) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(end, size) - start));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
      return bytes.subarray(0, bytesRead);
    };
    return await use({ totalBytes: size, path, read });
  } finally {
    await handle.close();
  }
}

/** Calls `use` with the bytes of a medium, which end where the medium ends, also where its file goes on. */
export function withSourceOf<T>(bytes: MediaBytes, use: (source: ByteSource) => Promise<T>): Promise<T> {
  if (Buffer.isBuffer(bytes)) return use(bufferSource(bytes));
  const { path, totalBytes } = bytes;
  return withFileSource(path, ({ read }) =>
    use({ totalBytes, path, read: (start, end) => read(start, Math.min(end, totalBytes)) }),
  );
}
