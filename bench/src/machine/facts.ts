import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** Facts about the machine, beside every result: figures of another machine say little about this one. */
export interface MachineFacts {
  cpu: string;
  cores: number;
  memoryGiB: number;
  node: string;
  platform: string;
  /** Mean number of running processes in the minute before: what others do to the machine. */
  loadBefore: number;
}

export function machineFacts(): MachineFacts {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}
