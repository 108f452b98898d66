/** Virtual time, so that a test can let a day pass. */
export interface Clock {
  /** Milliseconds since the Unix epoch, on the virtual clock. */
  now(): number;
  /** Waits that many virtual milliseconds; returns early (without an error) when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface VirtualClock extends Clock {
  /** Jumps forward; sleepers whose time has come resume at once. */
  advance(ms: number): void;
  /** Back to real time. */
  reset(): void;
}

/** The longest delay setTimeout honours; a longer sleep re-arms itself. */
const MAX_TIMER_MS = 2_147_483_647;

export function createVirtualClock(): VirtualClock {
  let aheadMs = 0;
  const sleepers = new Set<() => void>();

  const now = () => Date.now() + aheadMs;
  const setAhead = (ms: number) => {
    aheadMs = ms;
    for (const rearm of [...sleepers]) rearm();
  };

  return {
    now,
    advance: (ms) => setAhead(aheadMs + ms),
    reset: () => setAhead(0),
    sleep(ms, signal) {
      return new Promise((resolve) => {
        const dueAt = now() + ms;
        let timer: NodeJS.Timeout | undefined;
        const resume = () => {
          clearTimeout(timer);
          sleepers.delete(arm);
          signal?.removeEventListener('abort', resume);
          resolve();
        };
        const arm = () => {
          clearTimeout(timer);
          const leftMs = dueAt - now();
          if (leftMs <= 0) return resume();
          timer = setTimeout(arm, Math.min(Math.ceil(leftMs), MAX_TIMER_MS));
        };
        if (signal?.aborted) return resolve();
        signal?.addEventListener('abort', resume, { once: true });
        sleepers.add(arm);
        arm();
      });
    },
  };
}
