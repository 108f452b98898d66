import { LRUCache } from 'lru-cache';
import type { Position, Windows } from './count-requests';

const REMEMBERED_KEYS = 10_000;

interface Spent {
  position: Position;
  /** By `now`. */
  endsAtMs: number;
}

/** A key that is beyond its limit is beyond it until the window ends: what it sends meanwhile is not counted. */
export function rememberSpent(
  count: (keyId: string) => Promise<Position>,
  limits: Windows['limits'],
  now = () => performance.now(),
): (keyId: string) => Promise<Position> {
  const spent = new LRUCache<string, Spent>({ max: REMEMBERED_KEYS });

  function recall(keyId: string): Position | undefined {
    const known = spent.get(keyId);
    if (known === undefined) return undefined;
    const msBeforeNext = known.endsAtMs - now();
    if (msBeforeNext > 0) return { ...known.position, msBeforeNext };
    spent.delete(keyId);
    return undefined;
  }

  return async (keyId) => {
    const known = recall(keyId);
    if (known) return known;
    const position = await count(keyId);
    if (position.number > limits[position.window])
      spent.set(keyId, { position, endsAtMs: now() + position.msBeforeNext });
    return position;
  };
}
