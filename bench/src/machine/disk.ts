import { spawnSync } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface DiskFlush {
  /** Microseconds of one 8 kB write with fdatasync, on average: what a commit waits for at least. */
  fdatasyncMicros: number;
  measuredBy: 'pg_test_fsync' | 'bench';
}

const PAGE_BYTES = 8192;
const MEASURE_MS = 1000;

/** Measures a flush to the disk below `directory`: by PostgreSQL's own `pg_test_fsync` where it is on PATH, else alike. */
export function measureDiskFlush(directory: string): DiskFlush {
  const file = join(directory, 'flush-test');
  try {
    const theirs = runPgTestFsync(file);
    return theirs === undefined
      ? { fdatasyncMicros: writeAndFlush(file), measuredBy: 'bench' }
      : { fdatasyncMicros: theirs, measuredBy: 'pg_test_fsync' };
  } finally {
    rmSync(file, { force: true });
  }
}

/** Undefined when there is no such program. Its line reads `fdatasync  8123.456 ops/sec  123 usecs/op`. */
function runPgTestFsync(file: string): number | undefined {
  const { stdout } = spawnSync('pg_test_fsync', ['-f', file, '-s', '1'], { encoding: 'utf8', timeout: 60_000 });
  const micros = /^\s*fdatasync\s+[\d.]+ ops\/sec\s+(\d+) usecs\/op/m.exec(stdout ?? '')?.[1];
  return micros === undefined ? undefined : Number(micros);
}

function writeAndFlush(path: string): number {
  const page = Buffer.alloc(PAGE_BYTES, 1);
  const file = openSync(path, 'w');
  try {
    let flushes = 0;
    const startedAt = performance.now();
    while (performance.now() - startedAt < MEASURE_MS) {
      // The same place again and again, as a log's current page.
      writeSync(file, page, 0, PAGE_BYTES, 0);
      fdatasyncSync(file);
      flushes += 1;
    }
    return Math.round(((performance.now() - startedAt) * 1000) / flushes);
  } finally {
    closeSync(file);
  }
}
