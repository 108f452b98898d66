import { totalmem } from 'node:os';
import { Slots } from '@mediagate/concurrency';
import type { LoadedMedia, MediaReference } from '@mediagate/contracts';
import type { GuardedClient } from '@mediagate/egress';
import { boundedMap } from './bounded-map';
import { isDataUrl } from './data-url-prefix';
import { MAX_IMAGE_BYTES, withImageLimit } from './image-limit';
import type { Prober } from './inspect/probe';
import { FileLoader } from './load-file';
import type { MediaStore } from './media-store';
import type { FileOwner } from './own-media';

/** Waits until so many bytes may be held. Throws MediaError for faults of the caller's files. */
export type MediaLoader = (
  references: readonly MediaReference[],
  signal: AbortSignal,
  options: LoadOptions,
) => Promise<LoadedFiles>;

export interface LoadOptions {
  /** The files' owner. */
  owner: FileOwner;
  /** The files that were inspected before, by field; they are not looked at again. */
  inspected?: ReadonlyMap<string, LoadedMedia>;
}

export interface LoadedFiles {
  /** In the order of the references, without the optional ones that could not be used. */
  media: LoadedMedia[];
  /** Frees the bytes; to be called when nobody needs them any more. */
  release(): void;
}

export interface MediaLoaderDeps {
  client: Pick<GuardedClient, 'download' | 'stream'>;
  store: Pick<MediaStore, 'ownsUrl' | 'findUpload' | 'resolveOwnUrl' | 'read' | 'open'>;
  prober: Prober;
  /** The time limit of one file, redirects included; default 60 s. */
  fileTimeoutMs?: number;
  /** The limit of an image; default 20 MiB. */
  maxImageBytes?: number;
  /** The limit of all files that are held at once, half of it for one owner; default: `heldBytesWithin` the process's memory. */
  maxHeldBytes?: number;
}

const PARALLEL_LOADS = 4;
const MAX_HELD_BYTES = 384 * 1024 * 1024;

/** 384 MiB, and a quarter of the memory at most that the container has, or the machine. 0: the container has no limit. */
export function heldBytesWithin(containerBytes: number, machineBytes = totalmem()): number {
  const memoryBytes = Math.min(containerBytes || machineBytes, machineBytes);
  return Math.min(MAX_HELD_BYTES, Math.floor(memoryBytes / 4));
}

/**
 * Brings the caller's files: data URLs are decoded, our own links read from storage, everything else fetched through the
 * guarded client. Each is judged by its bytes: type, size, and whatever its field limits. A file that is only to be
 * inspected is read where its format points to and not kept.
 */
export function createMediaLoader(deps: MediaLoaderDeps): MediaLoader {
  const { maxHeldBytes = heldBytesWithin(process.constrainedMemory()) } = deps;
  const { maxImageBytes = MAX_IMAGE_BYTES, store } = deps;
  const slots = new Slots({ capacity: maxHeldBytes });
  const files = new FileLoader(deps);

  return async (named, signal, { owner, inspected }) => {
    const references = named.map((reference) => withImageLimit(reference, maxImageBytes));
    // A task takes the bytes of all its files at once: two tasks that wait for the rest of theirs could wait for each other.
    const sizes = await Promise.all(references.map((reference) => bytesAtMost(reference, store)));
    const amount = total(sizes);
    const held = amount > 0 ? await slots.take({ owner, amount }, signal) : undefined;
    const bring = async (reference: MediaReference, until: AbortSignal) =>
      inspected?.get(reference.field) ?? files.loadIfNeeded(reference, { owner, signal: until });
    try {
      // One unusable file decides the task, so the others need not arrive.
      const loaded = await boundedMap(references, { limit: PARALLEL_LOADS, signal }, bring);
      const media = loaded.filter((file) => file !== undefined);
      held?.shrinkTo(total(media.map(({ bytes }) => bytes.length)));
      return { media, release: () => held?.release() };
    } catch (error) {
      held?.release();
      throw error;
    }
  };
}

/** The bytes that are kept of a file, at most. */
async function bytesAtMost(
  { url, inspectOnly, maxBytes }: MediaReference,
  store: MediaLoaderDeps['store'],
): Promise<number> {
  if (inspectOnly) return 0;
  if (isDataUrl(url)) return url.length;
  const own = store.ownsUrl(url) ? await store.resolveOwnUrl(url) : undefined;
  return Math.min(own?.bytes ?? maxBytes, maxBytes);
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
