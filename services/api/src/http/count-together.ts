import { CountByKey, createBatcher } from '@mediagate/concurrency';
import type { CountRequests, Position, RateChain } from './count-requests';

/** More requests than a process ever reads at once. */
const MAX_WAITING = 100_000;

/**
 * Counts requests, each by itself, at the cost of few counts: requests that arrive while a count is in flight share the next
 * one. At most one round of counts is in flight, so the requests of a caller keep their order; a count that fails fails only
 * the requests of its caller.
 */
export function countTogether(count: CountRequests): (chain: RateChain) => Promise<Position> {
  return createBatcher<RateChain, Position>({
    maxWaiting: MAX_WAITING,
    full: (maxWaiting) => new Error(`${maxWaiting} requests wait to be counted`),
    failsAll: () => true,
    async run(chains) {
      const requests = new CountByKey();
      requests.add(...chains.map(({ signature }) => signature));
      const callers = [...new Map(chains.map((chain) => [chain.signature, chain])).values()];
      const outcomes = await Promise.allSettled(callers.map((chain) => count(chain, requests.of(chain.signature))));
      const places = new Map(callers.map(({ signature }, index) => [signature, outcomes[index]]));
      const placed = new CountByKey();
      return chains.map(({ signature }) => {
        const index = placed.of(signature);
        placed.add(signature);
        return placeOf(places.get(signature), index);
      });
    },
  });
}

/** Known at once where its count succeeded: a promise less for each request. */
function placeOf(outcome: PromiseSettledResult<Position[]> | undefined, index: number): Position | Promise<Position> {
  return outcome?.status === 'fulfilled' ? (outcome.value[index] as Position) : Promise.reject(outcome?.reason);
}
