import type { Clock } from '../clock';
import type { RateWindowState } from './contract';

/** The starts that our account at one vendor may make in a minute. */
export interface RateWindow {
  /** Counts one call; false when the window is full. */
  admit(): boolean;
  state(): RateWindowState;
  /** Sets the limit from now on; without a figure it is as wide as at the start. */
  limit(requestsPerMinute?: number): void;
}

const WINDOW_MS = 60_000;

/** A fixed window of one minute on the simulator's clock, so that the rate headers tell the truth. */
export function createRateWindow(clock: Clock, widest: number): RateWindow {
  let limit = widest;
  let startedAt = clock.now();
  let used = 0;
  const begin = () => {
    startedAt = clock.now();
    used = 0;
  };
  const roll = () => {
    if (clock.now() - startedAt >= WINDOW_MS) begin();
  };
  return {
    admit() {
      roll();
      if (used >= limit) return false;
      used += 1;
      return true;
    },
    state() {
      roll();
      return { limit, remaining: Math.max(0, limit - used), resetMs: startedAt + WINDOW_MS - clock.now() };
    },
    limit(requestsPerMinute = widest) {
      limit = requestsPerMinute;
      begin();
    },
  };
}
