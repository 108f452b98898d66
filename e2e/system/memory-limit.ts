import { execFile } from 'node:child_process';
import { access, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const MIB = 1024 * 1024;
const ROOT = '/sys/fs/cgroup';
/** Where the kernel takes limits of memory: of cgroup v2, and of v1. */
const HIERARCHIES = [
  { folder: ROOT, mark: 'memory.stat', limit: 'memory.max' },
  { folder: join(ROOT, 'memory'), mark: 'memory.stat', limit: 'memory.limit_in_bytes' },
];

export interface MemoryLimit {
  /** The way in which the process is kept from memory. */
  way: string;
  /** Takes away what the limit was made of, after the end of the process. */
  remove(): Promise<void>;
}

/**
 * Leaves a running process no more than a MiB beyond what it has: the kernel ends it as soon as its work needs more. Where this process may
 * make no cgroup, the process gets no further addresses, and ends itself.
 */
export async function limitMemory(pid: number): Promise<MemoryLimit> {
  for (const { folder, mark, limit } of HIERARCHIES) {
    const group = join(folder, `mediagate-${pid}`);
    try {
      await access(join(folder, mark));
      await mkdir(group);
      // A group counts nothing that a process had when it joined.
      await writeFile(join(group, limit), String(MIB));
      await writeFile(join(group, 'cgroup.procs'), String(pid));
      return { way: join(group, limit), remove: () => rmdir(group) };
    } catch {
      await rmdir(group).catch(() => undefined);
    }
  }
  const [, kib = ''] = /^VmSize:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  await promisify(execFile)('prlimit', ['--pid', String(pid), `--as=${Number(kib) * 1024 + MIB}`]);
  return { way: 'prlimit --as', remove: async () => undefined };
}
