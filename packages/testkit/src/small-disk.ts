import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findOrInstall } from './system-package';

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
  return isRoot() ? mounted(path) : closable(path);
}

/** A container may forbid its root to mount. */
export function canOpenSmallDisk(): boolean {
  if (!isRoot()) return true;
  const mount = findMount();
  if (mount === undefined) return false;
  const path = mkdtempSync(join(tmpdir(), 'mediagate-disk-'));
  const isMounted = spawnSync(mount, argumentsOf(path)).status === 0;
  if (isMounted) spawnSync(umountBeside(mount), [path]);
  rmSync(path, { recursive: true });
  return isMounted;
}

const isRoot = () => process.getuid?.() === 0;
const findMount = () => findOrInstall({ name: 'mount', programs: ['mount'], neededBy: 'the tests of a full disk' });
const argumentsOf = (path: string) => ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', path];
/** Both come with the same package. */
const umountBeside = (mount: string) => join(dirname(mount), 'umount');

async function mounted(path: string): Promise<SmallDisk> {
  const mount = findMount();
  if (mount === undefined) throw new Error('there is no program `mount`');
  await run(mount, argumentsOf(path));
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
      await run(umountBeside(mount), ['--lazy', path]);
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
