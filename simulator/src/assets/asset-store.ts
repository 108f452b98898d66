import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock';
import type { Faults } from '../faults/chooser';
import { type AssetFault, takeAssetFault } from './asset-fault';
import { type Content, contentOfBytes } from './content';

/** A result file that a vendor serves for a while. */
export interface Asset {
  expiresAtMs: number;
  fault: AssetFault | undefined;
  /** Makes the file if it is not there yet. */
  open(): Promise<Content>;
}

export interface AssetStore {
  /** Keeps the file and returns its path with the expiry, such as `/assets/0f….jpeg?exp=1789000000`. */
  put(file: { bytes: Buffer; contentType: string; extension: string; lifetimeMs: number; faults: Faults }): string;
  find(id: string): Asset | undefined;
  reset(): void;
}

const MAX_FILES = 2_000;
const MAX_BYTES = 512 * 1024 * 1024;

/** Result files in memory; the oldest go when the bounds are reached. */
export function createAssetStore(clock: Clock): AssetStore {
  const assets = new Map<string, Asset & { lengthBytes: number }>();
  let totalBytes = 0;

  const dropOldest = () => {
    const [oldest] = assets;
    if (!oldest) return;
    assets.delete(oldest[0]);
    totalBytes -= oldest[1].lengthBytes;
  };

  return {
    put({ bytes, contentType, extension, lifetimeMs, faults }) {
      const id = `${randomBytes(16).toString('hex')}.${extension}`;
      const expiresAtSeconds = Math.ceil((clock.now() + lifetimeMs) / 1_000);
      const content = contentOfBytes(bytes, contentType);
      assets.set(id, {
        expiresAtMs: expiresAtSeconds * 1_000,
        fault: takeAssetFault(faults),
        open: () => Promise.resolve(content),
        lengthBytes: bytes.length,
      });
      totalBytes += bytes.length;
      while (assets.size > 1 && (assets.size > MAX_FILES || totalBytes > MAX_BYTES)) dropOldest();
      return `/assets/${id}?exp=${expiresAtSeconds}`;
    },
    find: (id) => assets.get(id),
    reset() {
      assets.clear();
      totalBytes = 0;
    },
  };
}
