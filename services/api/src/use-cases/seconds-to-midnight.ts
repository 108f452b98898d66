const DAY_MS = 24 * 60 * 60 * 1000;

/** Seconds until the next day begins in UTC; daily limits count by UTC days. */
export function secondsToMidnight(nowMs = Date.now()): number {
  return Math.ceil((DAY_MS - (nowMs % DAY_MS)) / 1000);
}
