import { Slots } from '@mediagate/concurrency';
import { type LoadedMedia, type MediaReference, message } from '@mediagate/contracts';
import { EgressError, type GuardedClient } from '@mediagate/egress';
import { judgeFile, tooLarge } from './accept-file';
import { boundedMap } from './bounded-map';
import { decodeDataUrl, isDataUrl } from './data-url';
import { MAX_IMAGE_BYTES, withImageLimit } from './image-limit';
import { createProber } from './inspect/probe';
import { goneLink, isTransient, MediaError } from './media-error';
import { MediaGoneError, type MediaStore } from './media-store';
import { ByteSlots } from './outputs/byte-slots';
import { createSilentHosts } from './silent-hosts';
import { type ByteSource, bufferSource } from './sources/byte-source';
import { TooManyReadsError } from './sources/piece-source';
import { withRemoteSource } from './sources/remote-source';
import { storedSource } from './sources/stored-source';

/** Waits for held. Throws MediaError; what it throws else is not the caller's doing. */
export type MediaLoader = (
  references: readonly MediaReference[],
  signal: AbortSignal,
  options?: LoadOptions,
) => Promise<LoadedFiles>;

export interface LoadOptions {
  /** Whose files they are: an account has only its share of what all load at once. */
  accountId?: string;
  /** By field: what was found of files that were inspected before; they are not looked at again. */
  inspected?: ReadonlyMap<string, LoadedMedia>;
}

export interface LoadedFiles {
  /** In the order of the references, without the optional ones that could not be used. */
  media: LoadedMedia[];
  /** Gives back their bytes: when nobody needs them any more. */
  release(): void;
}

export interface MediaLoaderDeps {
  client: Pick<GuardedClient, 'download' | 'stream'>;
  store: Pick<MediaStore, 'ownsUrl' | 'resolveOwnUrl' | 'read' | 'open'>;
  /** Over everything that one file takes, redirects included; default 60 s. */
  fileTimeoutMs?: number;
  /** Of an image; default 20 MiB. */
  maxImageBytes?: number;
  /** Of all files that are held at once, for whichever task; default 384 MiB. */
  maxHeldBytes?: number;
}

interface Owner {
  accountId: string | undefined;
  signal: AbortSignal;
}

type Judge = (source: ByteSource, signal: AbortSignal) => Promise<LoadedMedia>;

const PARALLEL_LOADS = 4;
/** Of all tasks: each may hold some 30 MB and a process. A file's own time begins with its turn. */
const MAX_INSPECTIONS = 16;
/** Of one account, of one host, and of all hosts together that lately did not answer. */
const INSPECTIONS_PER_KEY = 4;
const FILE_TIMEOUT_MS = 60_000;
const MAX_HELD_BYTES = 384 * 1024 * 1024;
const NOT_KEPT = Buffer.alloc(0);

/**
 * Brings the caller's files: data URLs are decoded, our own links read from storage, everything else fetched through the
 * guarded client. Each is judged by its bytes: type, size, and whatever its field limits. A file that is only to be
 * inspected is read where its format points to and not kept.
 */
export function createMediaLoader(deps: MediaLoaderDeps): MediaLoader {
  const { client, store, fileTimeoutMs: timeoutMs = FILE_TIMEOUT_MS, maxHeldBytes = MAX_HELD_BYTES } = deps;
  const prober = createProber();
  const inspections = new Slots(MAX_INSPECTIONS, { perKey: INSPECTIONS_PER_KEY });
  const silentHosts = createSilentHosts();
  const slots = new ByteSlots(maxHeldBytes, { perKey: maxHeldBytes / 2 });

  return async (named, signal, { accountId, inspected } = {}) => {
    const references = named.map((reference) => withImageLimit(reference, deps.maxImageBytes ?? MAX_IMAGE_BYTES));
    // For all of a task at once: two that wait for the rest of theirs could wait for each other.
    const sizes = await Promise.all(references.map(bytesAtMost));
    const held = await slots.take(Math.min(total(sizes), maxHeldBytes), signal, accountId);
    const bring = async (reference: MediaReference, until: AbortSignal) =>
      inspected?.get(reference.field) ?? loadIfNeeded(reference, { accountId, signal: until });
    try {
      // One unusable file decides the task, so the others need not arrive.
      const loaded = await boundedMap(references, { limit: PARALLEL_LOADS, signal }, bring);
      const media = loaded.filter((file) => file !== undefined);
      held.shrinkTo(total(media.map(({ bytes }) => bytes.length)));
      return { media, release: held.release };
    } catch (error) {
      held.release();
      throw error;
    }
  };

  /** Of what is kept of it. */
  async function bytesAtMost({ url, inspectOnly, maxBytes }: MediaReference): Promise<number> {
    if (inspectOnly) return 0;
    if (isDataUrl(url)) return url.length;
    const own = store.ownsUrl(url) ? await store.resolveOwnUrl(url) : undefined;
    return Math.min(own?.bytes ?? maxBytes, maxBytes);
  }

  async function loadIfNeeded(reference: MediaReference, owner: Owner): Promise<LoadedMedia | undefined> {
    try {
      return await load(reference, owner);
    } catch (error) {
      if (reference.optional && error instanceof MediaError) return undefined;
      throw error;
    }
  }

  async function load(reference: MediaReference, { accountId, signal }: Owner): Promise<LoadedMedia> {
    const { field, role, inspectOnly = false } = reference;

    const judge: Judge = async (source, until) => {
      const facts = await judgeFile(source, reference, { prober, signal: until });
      return { field, role, bytes: (!inspectOnly && source.bytes) || NOT_KEPT, ...facts };
    };

    const accountKeys = accountId === undefined ? [] : [`account ${accountId}`];
    const keys = [...accountKeys, ...hostKeys(reference)];
    const endInspection = inspectOnly ? await inspections.take(signal, keys) : undefined;
    try {
      if (isDataUrl(reference.url)) return await judge(bufferSource(decodeDataUrl(reference)), signal);
      if (store.ownsUrl(reference.url)) return await judge(await openOwn(reference), signal);
      return await (inspectOnly ? inspectRemote : download)(reference, signal, judge);
    } catch (error) {
      if (error instanceof EgressError && error.reason === 'timeout') silentHosts.note(hostOf(reference));
      throw asMediaError(error, reference);
    } finally {
      endInspection?.();
    }
  }

  function hostKeys(reference: MediaReference): string[] {
    const host = hostOf(reference);
    if (host === undefined) return [];
    return silentHosts.has(host) ? [`host ${host}`, 'silent hosts'] : [`host ${host}`];
  }

  /** Undefined where no stranger's server is asked. */
  function hostOf({ url }: MediaReference): string | undefined {
    return isDataUrl(url) || store.ownsUrl(url) ? undefined : URL.parse(url)?.host;
  }

  async function openOwn(reference: MediaReference): Promise<ByteSource> {
    const media = await store.resolveOwnUrl(reference.url);
    if (media === undefined) throw goneLink(reference.field);
    if (media.bytes > reference.maxBytes) throw tooLarge(reference, media.bytes);
    return reference.inspectOnly ? storedSource(store, media) : bufferSource(await store.read(media.id));
  }

  async function download(reference: MediaReference, signal: AbortSignal, judge: Judge): Promise<LoadedMedia> {
    const { bytes } = await client.download(reference.url, { ...limitsOf(reference), timeoutMs, signal });
    return judge(bufferSource(bytes), signal);
  }

  function inspectRemote(reference: MediaReference, signal: AbortSignal, judge: Judge): Promise<LoadedMedia> {
    return withRemoteSource({ client, url: reference.url, ...limitsOf(reference), timeoutMs, signal }, judge);
  }
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

function limitsOf({ maxBytes, contentTypes }: MediaReference) {
  return { maxBytes, accept: contentTypes.join(', ') };
}

/** What is the file's fault, or its server's, told to its caller; anything else as it is. */
function asMediaError(error: unknown, { field }: MediaReference): unknown {
  if (error instanceof MediaGoneError) return goneLink(field);
  if (error instanceof TooManyReadsError) return new MediaError(field, message('file_unreadable'), { cause: error });
  if (!(error instanceof EgressError) || error.reason === 'aborted') return error;
  return new MediaError(field, error.problem, { transient: isTransient(error), cause: error });
}
