import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Scope } from '../scope';

const LOOK_EVERY_MS = 10_000;
/** A heap that has grown by less is not worth a collection, of some 60 ms. */
const WORTH_BYTES = 8 * 1024 * 1024;
/** Share of the time since the last look: a process that works more is left to the engine. */
const IDLE_SHARE = 0.1;

/** The parts of the process that decide. */
export interface Idling {
  /** Bytes that the heap takes of the system. */
  heapBytes(): number;
  /** The share of the time since it was last asked in which the process worked. */
  busyShare(): number;
  /** Collects the whole heap, while everything waits. */
  collect(): void;
}

/**
 * Has an idle process give back what its start and its work left over. The engine collects the whole heap only once it has doubled, which an
 * idle process takes hours to: some 25 MiB of a start stay with it until then.
 */
export function spareMemoryWhenIdle(scope: Pick<Scope, 'defer'>, idling: Idling = ofThisProcess()): void {
  let leastBytes = 0;
  const timer = setInterval(() => {
    const isIdle = idling.busyShare() < IDLE_SHARE;
    const bytes = idling.heapBytes();
    if (!isIdle || bytes - leastBytes < WORTH_BYTES) {
      // For some seconds after a collection the engine gives freed memory back, and the heap gets smaller still.
      leastBytes = Math.min(leastBytes, bytes);
      return;
    }
    idling.collect();
    leastBytes = bytes;
  }, LOOK_EVERY_MS);
  timer.unref();
  scope.defer('idle memory', () => clearInterval(timer));
}

function ofThisProcess(): Idling {
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  return {
    heapBytes: () => getHeapStatistics().total_heap_size,
    busyShare() {
      const { utilization } = performance.eventLoopUtilization(before);
      before = performance.eventLoopUtilization();
      return utilization;
    },
    collect: collector(),
  };
}

/**
 * The engine's own, which a new context has once the flag is set.
 *
 * @public A test takes it in a process of its own.
 */
export function collector(): () => void {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('gc') as () => void;
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
