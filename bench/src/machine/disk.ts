import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const PAGE_BYTES = 8192;
const MEASURE_MS = 1000;

/** Returns the microseconds of one 8 kB write with fdatasync below `directory`, on average: what a commit waits for at least. */
export function measureDiskFlush(directory: string): number {
  const page = Buffer.alloc(PAGE_BYTES, 1);
  const path = join(directory, 'flush-test');
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
    rmSync(path);
  }
}
