import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes of the space for new objects, of both of its halves together, from which on it grows no more: with 32 MiB each it is just above, with 16 below. */
const ENOUGH_BYTES = 56 * 1024 * 1024;
/** By how much V8 makes it larger once enough of it has survived; 1: not at all. */
const GROWS = 2;
const STAYS = 1;

/**
 * Keeps the space for new objects at 64 MiB, where V8 by itself goes on to 128. More of it makes collections rarer and not cheaper, for they cost what is alive; and its
 * garbage counts as used, so that a busy process took itself for one that is short of memory (`spareMemoryUnderPressure`), collected everything,
 * and began anew with little space, every few seconds.
 *
 * In the process itself, so that however it is started it has the same. V8 reads the size when it starts, but the growth each time.
 */
export function boundNewSpace(): void {
  let growth = GROWS;
  new PerformanceObserver(() => {
    const wanted = newSpaceBytes() >= ENOUGH_BYTES ? STAYS : GROWS;
    if (wanted === growth) return;
    growth = wanted;
    setFlagsFromString(`--semi-space-growth-factor=${growth}`);
  }).observe({ entryTypes: ['gc'] });
}

function newSpaceBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
}
