import { LRUCache } from 'lru-cache';
import { leftOf, type Position, type RateChain, type RateLevel } from './count-requests';

const REMEMBERED_LIMITS = 10_000;

interface Spent {
  position: Position;
  /** When the window ends, by `now`. */
  endsAtMs: number;
}

/** A limit that is spent is so until its window ends: what comes under it meanwhile is not counted, for no other limit either. */
export function rememberSpent(
  count: (chain: RateChain) => Promise<Position>,
  now = () => performance.now(),
): (chain: RateChain) => Promise<Position> {
  const spent = new LRUCache<string, Spent>({ max: REMEMBERED_LIMITS });

  function recall(level: RateLevel): Position | undefined {
    const key = keyOf(level);
    const known = spent.get(key);
    if (known === undefined) return undefined;
    const msBeforeNext = known.endsAtMs - now();
    if (msBeforeNext > 0) return { ...known.position, msBeforeNext };
    spent.delete(key);
    return undefined;
  }

  return async (chain) => {
    for (const level of chain.levels) {
      const known = recall(level);
      if (known) return known;
    }
    const position = await count(chain);
    if (leftOf(position) < 0) spent.set(keyOf(position.level), { position, endsAtMs: now() + position.msBeforeNext });
    return position;
  };
}

/** A limit that was changed is another one. */
function keyOf({ name, id, limits: { minute } }: RateLevel): string {
  return `${name} ${id} ${minute}`;
}
