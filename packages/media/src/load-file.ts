import { Slots } from '@mediagate/concurrency';
import { type LoadedMedia, type MediaReference, message } from '@mediagate/contracts';
import { EgressError, type GuardedClient } from '@mediagate/egress';
import { LRUCache } from 'lru-cache';
import { judgeFile, tooLarge } from './accept-file';
import { decodeDataUrl } from './data-url';
import { isDataUrl } from './data-url-prefix';
import { PROBE_POOL, type Prober } from './inspect/probe';
import { goneLink, isTransient, MediaError, MediaGoneError } from './media-error';
import type { MediaStore } from './media-store';
import { type FileOwner, findOwnMedia } from './own-media';
import { type ByteSource, bufferSource } from './sources/byte-source';
import { storedSource, TooManyReadsError } from './sources/piece-source';
import { withRemoteSource } from './sources/remote-source';

export interface FileLoaderDeps {
  client: Pick<GuardedClient, 'download' | 'stream'>;
  store: Pick<MediaStore, 'ownsUrl' | 'findUpload' | 'resolveOwnUrl' | 'read' | 'open'>;
  prober: Prober;
  /** Over everything that one file takes, redirects included; default 60 s. */
  fileTimeoutMs?: number;
}

/** For whom a file is loaded, and until when. */
interface Errand {
  owner: FileOwner;
  signal: AbortSignal;
}

type Judge = (source: ByteSource, signal: AbortSignal) => Promise<LoadedMedia>;

/**
 * Inspections of all tasks at once: each may hold some 30 MB and a process; one process is left for files that are at hand. A file's
 * own time begins with its turn.
 */
const MAX_INSPECTIONS = PROBE_POOL.processes - 1;
/** Inspections at once for one account, for one host, and for all hosts together that lately did not answer. */
const INSPECTIONS_PER_KEY = 2;
const FILE_TIMEOUT_MS = 60_000;
const NOT_KEPT = Buffer.alloc(0);

/** Loads or inspects one file at a time; limits how many are inspected at once. */
export class FileLoader {
  readonly #client: FileLoaderDeps['client'];
  readonly #store: FileLoaderDeps['store'];
  readonly #timeoutMs: number;
  readonly #prober: Prober;
  readonly #inspections = new Slots({ capacity: MAX_INSPECTIONS, perOwner: INSPECTIONS_PER_KEY });
  readonly #silentHosts = createSilentHosts();

  constructor({ client, store, prober, fileTimeoutMs = FILE_TIMEOUT_MS }: FileLoaderDeps) {
    this.#prober = prober;
    this.#client = client;
    this.#store = store;
    this.#timeoutMs = fileTimeoutMs;
  }

  /** Undefined: the file is optional and unusable. Throws MediaError for what is the caller's doing. */
  async loadIfNeeded(reference: MediaReference, errand: Errand): Promise<LoadedMedia | undefined> {
    try {
      return await this.#load(reference, errand);
    } catch (error) {
      if (reference.optional && error instanceof MediaError) return undefined;
      throw error;
    }
  }

  async #load(reference: MediaReference, errand: Errand): Promise<LoadedMedia> {
    const { owner, signal } = errand;
    const wish = { owner, keys: this.#hostKeys(reference) };
    const inspection = reference.inspectOnly ? await this.#inspections.take(wish, signal) : undefined;
    try {
      return await this.#read(reference, errand);
    } catch (error) {
      if (error instanceof EgressError && error.reason === 'timeout') this.#silentHosts.note(this.#hostOf(reference));
      throw asMediaError(error, reference);
    } finally {
      inspection?.release();
    }
  }

  async #read(reference: MediaReference, errand: Errand): Promise<LoadedMedia> {
    const { owner, signal } = errand;
    const { field, role, url, inspectOnly = false } = reference;
    const judge: Judge = async (source, until) => {
      const facts = await judgeFile(source, reference, { prober: this.#prober, owner, signal: until });
      return { field, role, bytes: (!inspectOnly && source.bytes) || NOT_KEPT, ...facts };
    };
    if (isDataUrl(url)) return judge(bufferSource(decodeDataUrl(reference)), signal);
    if (this.#store.ownsUrl(url)) return judge(await this.#openOwn(reference, owner), signal);
    return inspectOnly ? this.#inspectRemote(reference, errand, judge) : this.#download(reference, errand, judge);
  }

  #hostKeys(reference: MediaReference): string[] {
    const host = this.#hostOf(reference);
    if (host === undefined) return [];
    return this.#silentHosts.has(host) ? [`host ${host}`, 'silent hosts'] : [`host ${host}`];
  }

  /** Undefined where no stranger's server is asked. */
  #hostOf({ url }: MediaReference): string | undefined {
    return isDataUrl(url) || this.#store.ownsUrl(url) ? undefined : URL.parse(url)?.host;
  }

  async #openOwn(reference: MediaReference, owner: FileOwner): Promise<ByteSource> {
    const media = await findOwnMedia(this.#store, reference, owner);
    if (media.bytes > reference.maxBytes) throw tooLarge(reference, media.bytes);
    return reference.inspectOnly ? storedSource(this.#store, media) : bufferSource(await this.#store.read(media.id));
  }

  async #download(reference: MediaReference, errand: Errand, judge: Judge): Promise<LoadedMedia> {
    const limits = { ...limitsOf(reference), timeoutMs: this.#timeoutMs, ...errand };
    const { bytes } = await this.#client.download(reference.url, limits);
    return judge(bufferSource(bytes), errand.signal);
  }

  #inspectRemote(reference: MediaReference, errand: Errand, judge: Judge): Promise<LoadedMedia> {
    const limits = { ...limitsOf(reference), timeoutMs: this.#timeoutMs, ...errand };
    return withRemoteSource({ client: this.#client, url: reference.url, ...limits }, judge);
  }
}

function limitsOf({ maxBytes, contentTypes }: MediaReference) {
  return { maxBytes, accept: contentTypes.join(', ') };
}

/** Faults of the file or its server are reported to the caller; everything else is passed on as it is. */
function asMediaError(error: unknown, { field }: MediaReference): unknown {
  if (error instanceof MediaGoneError) return goneLink(field);
  if (error instanceof TooManyReadsError) return new MediaError(field, message('file_unreadable'), { cause: error });
  if (!(error instanceof EgressError) || error.reason === 'aborted') return error;
  return new MediaError(field, error.problem, { transient: isTransient(error), cause: error });
}

export interface SilentHosts {
  /** A request to the host timed out. */
  note(host: string | undefined): void;
  has(host: string): boolean;
}

const MAX_HOSTS = 10_000;
/** Longer than the pauses between the tries of a task. */
const REMEMBERED_MS = 5 * 60 * 1000;

/** Hosts that lately did not answer in time: they share few slots, so that the next wait for them delays nobody else. */
function createSilentHosts(): SilentHosts {
  const hosts = new LRUCache<string, true>({ max: MAX_HOSTS, ttl: REMEMBERED_MS });
  return {
    note(host) {
      if (host !== undefined) hosts.set(host, true);
    },
    has: (host) => hosts.has(host),
  };
}
