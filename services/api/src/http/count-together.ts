import { CountByKey, createBatcher } from '@mediagate/concurrency';
import type { CountRequests, Position } from './count-requests';

/** More requests than a process ever reads at once. */
const MAX_WAITING = 100_000;

/**
 * Counts requests, each by itself, at the cost of few counts: requests that arrive while a count is in flight share the next
 * one. At most one round of counts is in flight, so the requests of a key keep their order; a count that fails fails only
 * the requests of its key.
 */
export function countTogether(count: CountRequests): (keyId: string) => Promise<Position> {
  return createBatcher<string, Position>({
    maxWaiting: MAX_WAITING,
    full: (maxWaiting) => new Error(`${maxWaiting} requests wait to be counted`),
    failsAll: () => true,
    async run(keyIds) {
      const requests = new CountByKey();
      requests.add(...keyIds);
      const counts = new Map([...new Set(keyIds)].map((keyId) => [keyId, count(keyId, requests.of(keyId))]));
      await Promise.allSettled(counts.values());
      const placed = new CountByKey();
      return keyIds.map(async (keyId) => {
        const index = placed.of(keyId);
        placed.add(keyId);
        return (await counts.get(keyId))?.[index] as Position;
      });
    },
  });
}
