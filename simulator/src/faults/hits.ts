import type { Clock } from '../clock';

/** How often, and since when, each fault has struck each job. */
export interface Hits {
  /** Whether it has struck so often. */
  reached(key: string, times: number): boolean;
  /** Whether it struck for the first time so long ago. */
  isOlder(key: string, ms: number): boolean;
  /** Counts a strike and says how many there were. */
  strike(key: string): number;
  clear(): void;
}

/** Jobs whose counts are remembered; beyond that the oldest is forgotten and would fail afresh. */
const MAX_COUNTERS = 20_000;

export function createHits(clock: Pick<Clock, 'now'>): Hits {
  const hits = new Map<string, { count: number; sinceMs: number }>();
  return {
    reached: (key, times) => (hits.get(key)?.count ?? 0) >= times,
    isOlder(key, ms) {
      const known = hits.get(key);
      return known !== undefined && clock.now() >= known.sinceMs + ms;
    },
    strike(key) {
      const { count, sinceMs } = hits.get(key) ?? { count: 0, sinceMs: clock.now() };
      hits.delete(key);
      hits.set(key, { count: count + 1, sinceMs });
      const oldest = hits.keys().next().value;
      if (hits.size > MAX_COUNTERS && oldest !== undefined) hits.delete(oldest);
      return count + 1;
    },
    clear: () => hits.clear(),
  };
}
