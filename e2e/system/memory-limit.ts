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

/**
 * Leaves a running process no more than a MiB beyond what it has: the kernel ends it as soon as its work needs more. Where this process may
 * make no cgroup, the process gets no further addresses, and ends itself. Returns how to take the limit's group away, after its end.
 */
export async function limitMemory(pid: number): Promise<() => Promise<void>> {
  for (const { folder, mark, limit } of HIERARCHIES) {
    const group = join(folder, `mediagate-${pid}`);
    try {
      await access(join(folder, mark));
      await mkdir(group);
      // A group counts nothing that a process had when it joined.
      await writeFile(join(group, limit), String(MIB));
      await writeFile(join(group, 'cgroup.procs'), String(pid));
      return () => rmdir(group);
    } catch {
      await rmdir(group).catch(() => undefined);
    }
  }
  const [, kib = ''] = /^VmSize:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  await promisify(execFile)('prlimit', ['--pid', String(pid), `--as=${Number(kib) * 1024 + MIB}`]);
  return async () => undefined;
}
