import { open } from 'node:fs/promises';
import type { ByteSource } from './byte-source';

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
    return await use({ totalBytes: size, read });
  } finally {
    await handle.close();
  }
}
