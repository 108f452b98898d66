import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runAutocannon } from './autocannon';
import type { LoadGenerator } from './closed-loop';
import { runWrk } from './wrk';

/** `wrk` where it is on PATH, because it takes a fifth of the CPU; else `autocannon`, which npm brings. */
export function chooseLoadGenerator(): LoadGenerator {
  const directories = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const hasWrk = directories.some((directory) => existsSync(join(directory, 'wrk')));
  return hasWrk ? { name: 'wrk', run: runWrk } : { name: 'autocannon', run: runAutocannon };
}
