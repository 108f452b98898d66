import { setFlagsFromString } from 'node:v8';

/**
 * How much the heap may grow until all of it is looked at for garbage, in percent of what was alive the last time.
 *
 * V8 goes by how fast objects grow old, and allows 10 % where few do. It counts bytes of buffers as growth, though, so that
 * a process through which media or audio pass looked at its 45 MB of libraries after every few megabytes: three quarters of
 * the CPU of a speech, and pauses of tens of milliseconds.
 */
export const HEAP_GROWTH_PERCENT = 100;

/**
 * Applies to the next collection and those after it. Buffers and heap share one limit: by itself V8 has a second one for buffers alone, and
 * looks at the whole heap after every 64 MB of them, however soon they are dropped: three times a second at 140 MB of speech. A version of
 * V8 without a flag reports it, and goes on as before.
 */
export function letHeapGrow(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  setFlagsFromString('--external-memory-accounted-in-global-limit');
}
