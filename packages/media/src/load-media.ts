import type { LoadedMedia, MediaReference } from '@mediagate/contracts';
import { EgressError, type GuardedClient } from '@mediagate/egress';
import { acceptFile, tooLarge } from './accept-file';
import { boundedMap } from './bounded-map';
import { decodeDataUrl, isDataUrl } from './data-url';
import { goneLink, isTransient, MediaError } from './media-error';
import { MediaGoneError, type MediaStore } from './media-store';

/** In the order of the references. Throws MediaError; what it throws else is not the caller's doing. */
export type MediaLoader = (references: readonly MediaReference[], signal: AbortSignal) => Promise<LoadedMedia[]>;

const PARALLEL_LOADS = 4;
/** Of one file, redirects included. */
const DOWNLOAD_TIMEOUT_MS = 60_000;

/**
 * Brings the caller's files: data URLs are decoded, our own links read from storage, everything else fetched through the
 * guarded client. Each is judged by its bytes: type, size, and for pictures the pixels their header promises.
 */
export function createMediaLoader(deps: {
  client: Pick<GuardedClient, 'download'>;
  store: Pick<MediaStore, 'ownsUrl' | 'resolveOwnUrl' | 'read'>;
}): MediaLoader {
  const { client, store } = deps;

  // One unusable file decides the task, so the others need not arrive.
  return (references, signal) => boundedMap(references, { limit: PARALLEL_LOADS, signal }, load);

  async function load(reference: MediaReference, signal: AbortSignal): Promise<LoadedMedia> {
    const { field, role } = reference;
    return { field, role, ...(await acceptFile(reference, await readBytes(reference, signal))) };
  }

  function readBytes(reference: MediaReference, signal: AbortSignal): Promise<Buffer> | Buffer {
    if (isDataUrl(reference.url)) return decodeDataUrl(reference);
    if (store.ownsUrl(reference.url)) return readOwn(reference);
    return download(reference, signal);
  }

  async function readOwn(reference: MediaReference): Promise<Buffer> {
    const media = await store.resolveOwnUrl(reference.url);
    if (media === undefined) throw goneLink(reference.field);
    if (media.bytes > reference.maxBytes) throw tooLarge(reference, media.bytes);
    return store.read(media.id).catch((error: unknown) => {
      throw error instanceof MediaGoneError ? goneLink(reference.field) : error;
    });
  }

  async function download(reference: MediaReference, signal: AbortSignal): Promise<Buffer> {
    const { url, field, maxBytes, contentTypes } = reference;
    const options = { maxBytes, timeoutMs: DOWNLOAD_TIMEOUT_MS, accept: contentTypes.join(', '), signal };
    const file = await client.download(url, options).catch((error: unknown) => {
      if (!(error instanceof EgressError) || error.reason === 'aborted') throw error;
      throw new MediaError(field, error.message, { transient: isTransient(error), cause: error });
    });
    return file.bytes;
  }
}
