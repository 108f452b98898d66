import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

/** Longer than any key is. */
const MAX_SECRET_BYTES = 65_536;
/** Opening a pipe that nobody writes to would wait for ever. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** The text of a file, trimmed; undefined: it cannot be read, is empty, too large, or no regular file. */
export function readSecretFile(path: string): string | undefined {
  try {
    const file = openSync(path, OPEN_FLAGS);
    try {
      const bytes = bufferFor(fstatSync(file));
      return bytes && textOf(bytes, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    // The configuration file that names this one is at fault then.
    return undefined;
  }
}

/** The same without blocking the process. */
export async function lookAtSecretFile(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, OPEN_FLAGS);
    try {
      const bytes = bufferFor(await file.stat());
      return bytes && textOf(bytes, (await file.read(bytes)).bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** A device or a file of the kernel has no size, and may have no end. */
function bufferFor(stats: Stats): Buffer | undefined {
  return stats.isFile() && stats.size > 0 && stats.size <= MAX_SECRET_BYTES ? Buffer.alloc(stats.size) : undefined;
}

function textOf(bytes: Buffer, length: number): string {
  return bytes.toString('utf8', 0, length).trim();
}
