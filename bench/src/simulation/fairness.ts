/** Jain's index: 1 where all have the same, 1/n where one has all. */
export function jainIndex(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0);
  const squares = shares.reduce((total, share) => total + share * share, 0);
  return squares === 0 ? Number.NaN : (sum * sum) / (shares.length * squares);
}

/**
 * By how many that came later one was overtaken at most, of those that came in this order and began at these times. One that has not
 * begun was overtaken by all that have.
 */
export function mostOvertaken(begunAt: readonly (number | undefined)[]): number {
  const laterBegun: number[] = [];
  let most = 0;
  for (const at of begunAt.toReversed()) {
    const before = countBelow(laterBegun, at ?? Number.POSITIVE_INFINITY);
    most = Math.max(most, before);
    if (at !== undefined) laterBegun.splice(before, 0, at);
  }
  return most;
}

/** Counts the numbers below the limit; they must be sorted. */
function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
