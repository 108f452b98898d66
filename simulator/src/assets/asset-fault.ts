import type { Faults } from '../faults/chooser';
import { type AssetScenarioName, assetScenarioNames } from '../faults/table';

/** The delay of `asset-late`, where it names no time. */
export const LATE_MS = 60_000;

/** A fault that strikes the downloads of a file, and how many downloads it still has to spoil. */
export interface AssetFault {
  name: AssetScenarioName;
  value: string;
  left: number;
  /** The end of `asset-late`, which the first download sets. */
  untilMs?: number;
}

export function takeAssetFault(faults: Faults): AssetFault | undefined {
  for (const name of assetScenarioNames) {
    const taken = faults.take(name);
    if (taken) return { name, value: taken.value, left: taken.times ?? Number.POSITIVE_INFINITY };
  }
  return undefined;
}
