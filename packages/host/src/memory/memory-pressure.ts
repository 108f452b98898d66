import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import type { Scope } from '../scope';
import { HEAP_GROWTH_PERCENT } from './heap-growth';

const MIB = 1024 * 1024;
/** Bytes of the heap that libraries and new objects take in a process that serves small requests. */
const USUAL_HEAP_BYTES = 112 * MIB;
/** Bytes of the heap beyond that, and of buffers, also of dropped ones not collected yet; a process that serves small requests has less. */
const PRESSED_BYTES = 64 * MIB;
const RELIEVED_BYTES = 32 * MIB;
const LOOK_EVERY_MS = 50;
/** Percent by which the heap may grow under pressure, buffers included, until all of it is collected. */
const PRESSED_GROWTH_PERCENT = 25;

/** The part of V8 that decides when it collects. */
export interface Collector {
  /** Bytes of buffers, and of the heap beyond what is usual. */
  pressingBytes(): number;
  /** Whether it collects early and keeps few bytes for new objects, or spares the process's time; applies from the next collection on. */
  spareMemory(isSpared: boolean): void;
}

/**
 * Has memory collected early while buffers or waiting requests take much of it, and late otherwise. V8 goes by the heap: while that may
 * double, as much again in dropped buffers lies in memory, beside up to 128 MiB for new objects.
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
