/** The middle of the values, or of the two middle ones; NaN of none. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** By linear interpolation between the nearest ranks; NaN of no values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  const rank = ((sorted.length - 1) * percent) / 100;
  const below = sorted[Math.floor(rank)] ?? Number.NaN;
  const above = sorted[Math.ceil(rank)] ?? Number.NaN;
  return below + (above - below) * (rank - Math.floor(rank));
}
