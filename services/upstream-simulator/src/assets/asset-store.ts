import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../clock';
import type { Faults, TakenScenario } from '../faults/chooser';
import { type AssetScenarioName, assetScenarioNames } from '../faults/scenarios';

/** A result file that a vendor serves for a while. */
export interface Asset {
  bytes: Buffer;
  contentType: string;
  etag: string;
  expiresAtMs: number;
  /** The fault that strikes its downloads, if any, and how many downloads it still has to spoil. */
  fault: { name: AssetScenarioName; value: string; left: number } | undefined;
}

export interface AssetStore {
  /** Keeps the file and returns its path with the expiry, such as `/assets/0f….jpeg?exp=1789000000`. */
  put(file: { bytes: Buffer; contentType: string; extension: string; lifetimeMs: number; faults: Faults }): string;
  find(id: string): Asset | undefined;
  size(): { files: number; bytes: number };
  reset(): void;
}

const MAX_FILES = 2_000;
const MAX_BYTES = 512 * 1024 * 1024;

/** Result files in memory; the oldest go when the bounds are reached. */
export function createAssetStore(clock: Clock): AssetStore {
  const assets = new Map<string, Asset>();
  let totalBytes = 0;

  const dropOldest = () => {
    const [oldest] = assets;
    if (!oldest) return;
    assets.delete(oldest[0]);
    totalBytes -= oldest[1].bytes.length;
  };

  return {
    put({ bytes, contentType, extension, lifetimeMs, faults }) {
      const id = `${randomBytes(16).toString('hex')}.${extension}`;
      const expiresAtSeconds = Math.ceil((clock.now() + lifetimeMs) / 1_000);
      assets.set(id, {
        bytes,
        contentType,
        etag: `"${createHash('md5').update(bytes).digest('hex')}"`,
        expiresAtMs: expiresAtSeconds * 1_000,
        fault: takeAssetFault(faults),
      });
      totalBytes += bytes.length;
      while (assets.size > 1 && (assets.size > MAX_FILES || totalBytes > MAX_BYTES)) dropOldest();
      return `/assets/${id}?exp=${expiresAtSeconds}`;
    },
    find: (id) => assets.get(id),
    size: () => ({ files: assets.size, bytes: totalBytes }),
    reset() {
      assets.clear();
      totalBytes = 0;
    },
  };
}

function takeAssetFault(faults: Faults): Asset['fault'] {
  for (const name of assetScenarioNames) {
    const taken: TakenScenario | undefined = faults.take(name);
    if (taken) return { name, value: taken.value, left: taken.times ?? Number.POSITIVE_INFINITY };
  }
  return undefined;
}
