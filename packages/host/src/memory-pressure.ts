import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { HEAP_GROWTH_PERCENT } from './heap-growth';
import type { Scope } from './scope';

const MIB = 1024 * 1024;
/** What libraries and new objects take of the heap in a process that serves small requests. */
const USUAL_HEAP_BYTES = 112 * MIB;
/** Beyond that and of buffers, those that were dropped and not collected yet included: a process that serves small requests has less. */
const PRESSED_BYTES = 64 * MIB;
const RELIEVED_BYTES = 32 * MIB;
const LOOK_EVERY_MS = 50;
/** What the heap may grow by meanwhile, buffers included, until all of it is collected. */
const PRESSED_GROWTH_PERCENT = 25;

/** The part of V8 that decides when it collects. */
export interface Collector {
  /** Bytes of buffers, and of the heap beyond what is usual. */
  pressingBytes(): number;
  /** Whether it collects early and keeps little room for new objects, or spares the process's time. Applies from the next collection on. */
  spareMemory(isSpared: boolean): void;
}

/**
 * Has memory collected early while buffers or waiting requests take much of it, and late otherwise. V8 goes by the heap: while that may
 * double, as much again in dropped buffers lies in memory, beside up to 128 MiB of room for new objects.
 */
export function spareMemoryUnderPressure(scope: Pick<Scope, 'defer'>, collector: Collector = V8): void {
  let isPressed = false;
  const timer = setInterval(() => {
    const wasPressed = isPressed;
    isPressed = collector.pressingBytes() > (wasPressed ? RELIEVED_BYTES : PRESSED_BYTES);
    if (isPressed !== wasPressed) collector.spareMemory(isPressed);
  }, LOOK_EVERY_MS);
  scope.defer('memory pressure', () => clearInterval(timer));
}

const V8: Collector = {
  pressingBytes() {
    const { external_memory: externalBytes, used_heap_size: heapBytes } = getHeapStatistics();
    return externalBytes + Math.max(0, heapBytes - USUAL_HEAP_BYTES);
  },
  spareMemory(isSpared) {
    setFlagsFromString(isSpared ? '--optimize-for-size' : '--no-optimize-for-size');
    setFlagsFromString(`--heap-growing-percent=${isSpared ? PRESSED_GROWTH_PERCENT : HEAP_GROWTH_PERCENT}`);
  },
};
