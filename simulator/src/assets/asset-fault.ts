import type { Faults } from '../faults/chooser';
import { type AssetScenarioName, assetScenarioNames } from '../faults/table';

/** Of `asset-late`, where it names no time. */
export const LATE_MS = 60_000;

/** What strikes the downloads of a file, and how many downloads it still has to spoil. */
export interface AssetFault {
  name: AssetScenarioName;
  value: string;
  left: number;
  /** Of `asset-late`: until when, by the first download. */
  untilMs?: number;
}

export function takeAssetFault(faults: Faults): AssetFault | undefined {
  for (const name of assetScenarioNames) {
    const taken = faults.take(name);
    if (taken) return { name, value: taken.value, left: taken.times ?? Number.POSITIVE_INFINITY };
  }
  return undefined;
}
