import { execFile } from 'node:child_process';
import { chmod, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const DISK = '8m';
const MAX_FILL_BYTES = 16 * 1024 * 1024;

/** A folder on a disk of its own that a test can fill. */
export interface SmallDisk {
  path: string;
  /** Nothing can be written any more. */
  fill(): Promise<void>;
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** Root mounts a disk of 8 MB. Others get a folder that they cannot write to while it is "full". */
export async function openSmallDisk(): Promise<SmallDisk> {
  const path = await mkdtemp(join(tmpdir(), 'mediagate-disk-'));
  return process.getuid?.() === 0 ? mounted(path) : closable(path);
}

async function mounted(path: string): Promise<SmallDisk> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', path]);
  const filler = join(path, 'filler');
  return {
    path,
    async fill() {
      const file = await open(filler, 'a');
      try {
        for (let written = 0; written < MAX_FILL_BYTES; )
          written += (await file.write(Buffer.alloc(4096))).bytesWritten;
        throw new Error(`the disk takes more than ${MAX_FILL_BYTES} bytes`);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    },
    empty: () => rm(filler, { force: true }),
    async close() {
      await run('umount', ['--lazy', path]);
      await rm(path, { recursive: true, force: true });
    },
  };
}

async function closable(path: string): Promise<SmallDisk> {
  const folder = await mkdtemp(join(path, 'disk-'));
  return {
    path: folder,
    fill: () => chmod(folder, 0o500),
    empty: () => chmod(folder, 0o700),
    async close() {
      await chmod(folder, 0o700);
      await rm(path, { recursive: true, force: true });
    },
  };
}
