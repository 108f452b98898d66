import type { Clock } from '../clock';
import type { RateWindowState } from './contract';

export interface RateWindow {
  /** Counts one call; false when the window is full. */
  admit(): boolean;
  state(): RateWindowState;
  reset(): void;
}

const WINDOW_MS = 60_000;

/** A fixed window of one minute on the simulator's clock, so that the rate headers tell the truth. */
export function createRateWindow(clock: Clock, requestsPerMinute: () => number): RateWindow {
  let startedAt = clock.now();
  let used = 0;
  const roll = () => {
    if (clock.now() - startedAt < WINDOW_MS) return;
    startedAt = clock.now();
    used = 0;
  };
  return {
    admit() {
      roll();
      if (used >= requestsPerMinute()) return false;
      used += 1;
      return true;
    },
    state() {
      roll();
      const resetMs = startedAt + WINDOW_MS - clock.now();
      const limit = requestsPerMinute();
      return { limit, remaining: Math.max(0, limit - used), resetMs };
    },
    reset() {
      startedAt = clock.now();
      used = 0;
    },
  };
}
