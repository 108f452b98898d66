const DAY_MS = 24 * 60 * 60 * 1000;

/** Until the next day begins in UTC, by which daily limits count. */
export function secondsToMidnight(nowMs = Date.now()): number {
  return Math.ceil((DAY_MS - (nowMs % DAY_MS)) / 1000);
}
