import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Content, contentOfFile } from '../assets/content';

export interface FileCache {
  /**
   * The file of that name, made now unless it is there already: `make` writes it anywhere, for which it gets an empty
   * folder, and returns its path. Wishes for one name at a time share the making; a failure is not remembered.
   */
  file(name: string, contentType: string, make: (folder: string) => Promise<string>): Promise<Content>;
  /** Waits for what is being made, then removes every file. */
  close(): Promise<void>;
}

/** Files in a temporary folder of its own; the least recently wanted go when the bounds are reached. */
export function createFileCache({
  maxFiles,
  maxBytes,
  parentFolder = tmpdir(),
}: {
  maxFiles: number;
  maxBytes: number;
  parentFolder?: string;
}): FileCache {
  const files = new Map<string, Promise<Content>>();
  const lengths = new Map<string, number>();
  let home: Promise<string> | undefined;

  const openHome = () => {
    home ??= mkdtemp(join(parentFolder, 'simulator-'));
    return home;
  };
  const drop = async (name: string) => {
    files.delete(name);
    lengths.delete(name);
    await rm(join(await openHome(), name), { force: true });
  };
  const totalBytes = () => [...lengths.values()].reduce((sum, length) => sum + length, 0);

  const produce: FileCache['file'] = async (name, contentType, make) => {
    const folder = await mkdtemp(join(await openHome(), 'work-'));
    try {
      const path = join(await openHome(), name);
      await rename(await make(folder), path);
      const content = await contentOfFile(path, contentType);
      lengths.set(name, content.lengthBytes);
      for (const oldest of [...lengths.keys()]) {
        if (oldest === name || (lengths.size <= maxFiles && totalBytes() <= maxBytes)) break;
        await drop(oldest);
      }
      return content;
    } catch (error) {
      files.delete(name);
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  return {
    file(name, contentType, make) {
      const file = files.get(name) ?? produce(name, contentType, make);
      files.set(name, file);
      touch(lengths, name);
      return file;
    },
    async close() {
      await Promise.allSettled(files.values());
      if (home) await rm(await home, { recursive: true, force: true });
    },
  };
}

/** Moves an entry to the end: the order of a Map is that of insertion. */
function touch(lengths: Map<string, number>, name: string): void {
  const length = lengths.get(name);
  if (length === undefined) return;
  lengths.delete(name);
  lengths.set(name, length);
}
