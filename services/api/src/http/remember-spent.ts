import { LRUCache } from 'lru-cache';
import type { Place, Windows } from './count-requests';

const REMEMBERED_KEYS = 10_000;

interface Spent {
  place: Place;
  /** By `now`. */
  endsAtMs: number;
}

/** A key that is beyond its limit is beyond it until the window ends: what it sends meanwhile is not counted. */
export function rememberSpent(
  count: (keyId: string) => Promise<Place>,
  limits: Windows['limits'],
  now = () => performance.now(),
): (keyId: string) => Promise<Place> {
  const spent = new LRUCache<string, Spent>({ max: REMEMBERED_KEYS });

  function recall(keyId: string): Place | undefined {
    const known = spent.get(keyId);
    if (known === undefined) return undefined;
    const msBeforeNext = known.endsAtMs - now();
    if (msBeforeNext > 0) return { ...known.place, msBeforeNext };
    spent.delete(keyId);
    return undefined;
  }

  return async (keyId) => {
    const known = recall(keyId);
    if (known) return known;
    const place = await count(keyId);
    if (place.number > limits[place.window]) spent.set(keyId, { place, endsAtMs: now() + place.msBeforeNext });
    return place;
  };
}
