import { existsSync, readFileSync } from 'node:fs';

/** The most memory that a process has had, in MiB; NaN where there is no /proc. */
export function peakMemoryMib(pid: number): number {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return Number.NaN;
  const [, kibibytes = 'NaN'] = /VmHWM:\s+(\d+)/.exec(readFileSync(path, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}
