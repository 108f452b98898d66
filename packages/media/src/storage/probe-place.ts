import { mkdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { timeOrderedId } from '@mediagate/contracts';
import type { Storage } from './storage';
import type { StoragePlace } from './storage-fault';
import { StorageUnavailableError } from './storage-unavailable-error';

/** One place that results need, and how it is tried out. */
export interface ProbedPlace {
  place: StoragePlace;
  /** Writes so many bytes, reads them back and removes them. Rejects where that, or the free space, will not do. */
  probe(bytes: number): Promise<void>;
  /** Space that is left; undefined: nobody can say. */
  freeBytes(): Promise<number | undefined>;
  /** With less space nothing is begun. */
  minFreeBytes: number;
}

/**
 * The storage, by an object of its own under `results/`: where a process dies before it is removed, the reconciler's sweep of
 * objects without a row takes it.
 */
export function probedStorage(storage: Storage, minFreeBytes: number): ProbedPlace {
  const place = 'storage';
  return {
    place,
    minFreeBytes,
    freeBytes: async () => storage.freeBytes?.(),
    async probe(bytes) {
      requireSpace(place, await storage.freeBytes?.(), minFreeBytes);
      const key = `results/${timeOrderedId()}.probe`;
      const written = contentOf(key, bytes);
      await storage.put(key, written, { contentType: 'application/octet-stream', bytes });
      try {
        requireSame(place, await buffer(await storage.open(key)), written);
      } finally {
        await storage.remove(key);
      }
    },
  };
}

/** The folder that files are worked on in. */
export function probedFolder(folder: string, minFreeBytes: number): ProbedPlace {
  const place = 'work';
  return {
    place,
    minFreeBytes,
    freeBytes: () => freeBytesIn(folder),
    async probe(bytes) {
      await mkdir(folder, { recursive: true });
      requireSpace(place, await freeBytesIn(folder), minFreeBytes);
      const file = path.join(folder, `probe-${timeOrderedId()}`);
      const written = contentOf(file, bytes);
      try {
        await writeFile(file, written, { flag: 'wx', mode: 0o600 });
        requireSame(place, await readFile(file), written);
      } finally {
        await rm(file, { force: true });
      }
    },
  };
}

/** The bytes that a user without special rights may still write. */
export async function freeBytesIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

function requireSpace(place: StoragePlace, freeBytes: number | undefined, minFreeBytes: number): void {
  if (freeBytes !== undefined && freeBytes < minFreeBytes) throw new StorageUnavailableError(place, 'full');
}

function requireSame(place: StoragePlace, read: Buffer, written: Buffer): void {
  if (!read.equals(written)) throw new StorageUnavailableError(place, 'broken');
}

/** Each probe writes content of its own, so that bytes kept by a cache or another probe are not taken for it. */
function contentOf(name: string, bytes: number): Buffer {
  return Buffer.alloc(bytes, name);
}
