import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Time limit of one command; the longest installs all packages. */
const COMMAND_LIMIT_MS = 900_000;
/** The path in which programs of the system look for others, whatever the PATH of the tests. */
export const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Images and containers in a folder of their own, made without a service. Each step runs in a chroot, on the network of this machine. */
export interface Buildah {
  /** For files of the caller's. */
  folder: string;
  /** Runs a command; its output. */
  run(...args: string[]): string;
  remove(): void;
}

export function openBuildah(program: string): Buildah {
  const folder = mkdtempSync(join(tmpdir(), 'mediagate-image-'));
  const store = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'overlay'];
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(program, [...store, ...args], {
      encoding: 'utf8',
      timeout: COMMAND_LIMIT_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
      env: { PATH: SYSTEM_PATH, HOME: folder, BUILDAH_ISOLATION: 'chroot' },
    });
    if (status === 0) return stdout.trim();
    throw new Error(`buildah ${args[0]} ended with ${status}:\n${stdout.slice(-3000)}${stderr.slice(-3000)}`);
  };
  return {
    folder,
    run,
    remove() {
      run('umount', '--all');
      // It mounts its own folder, and leaves that.
      spawnSync('/usr/bin/umount', ['--recursive', join(folder, 'storage/overlay')]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
