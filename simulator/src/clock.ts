/** Virtual time, so that a test can let a day pass, or make a minute of vendor work take a second. */
export interface Clock {
  /** Milliseconds since the Unix epoch, on the virtual clock. */
  now(): number;
  /** Waits that many virtual milliseconds; returns early (without an error) when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface VirtualClock extends Clock {
  /** Jumps forward; sleepers whose time has come resume at once. */
  advance(ms: number): void;
  /** Virtual milliseconds for each real one. */
  setSpeed(speed: number): void;
  speed(): number;
  /** Back to real time at speed 1. */
  reset(): void;
}

/** The longest delay setTimeout honours; a longer sleep re-arms itself. */
const MAX_TIMER_MS = 2_147_483_647;

export function createVirtualClock(): VirtualClock {
  let origin = { realMs: Date.now(), virtualMs: Date.now() };
  let speed = 1;
  const sleepers = new Set<() => void>();

  const now = () => origin.virtualMs + (Date.now() - origin.realMs) * speed;
  const rebase = (virtualMs: number, nextSpeed: number) => {
    origin = { realMs: Date.now(), virtualMs };
    speed = nextSpeed;
    for (const rearm of [...sleepers]) rearm();
  };

  return {
    now: () => Math.round(now()),
    speed: () => speed,
    advance: (ms) => rebase(now() + ms, speed),
    setSpeed: (next) => rebase(now(), next),
    reset: () => rebase(Date.now(), 1),
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
          const realMs = (dueAt - now()) / speed;
          if (realMs <= 0) return resume();
          timer = setTimeout(arm, Math.min(Math.ceil(realMs), MAX_TIMER_MS));
        };
        if (signal?.aborted) return resolve();
        signal?.addEventListener('abort', resume, { once: true });
        sleepers.add(arm);
        arm();
      });
    },
  };
}
