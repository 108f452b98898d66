import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { timeOrderedId } from '@mediagate/contracts';
import type { Database, ExpiredRow, MediaPurpose, MediaRow, StoredFile } from '@mediagate/database';
import { boundedMap } from './bounded-map';
import type { Links } from './links';
import { type MediaBytes, openUpload } from './media-bytes';
import { extensionOf } from './sniff';
import { type ByteRange, ObjectMissingError, type Storage } from './storage/storage';
import { quotaValues, refuseExcess, type UploadQuotas } from './upload-quota';

export interface MediaToSave {
  accountId: string;
  taskId?: string;
  purpose: MediaPurpose;
  /** A file stays where it is: it is whoever's made it. */
  bytes: MediaBytes;
  /** What the bytes are, not what somebody called them. */
  contentType: string;
  width?: number;
  height?: number;
  lifetimeMs: number;
}

export interface UploadToSave extends Omit<MediaToSave, 'taskId' | 'purpose'> {
  keyId: string;
  bytes: Buffer;
  quotas: UploadQuotas;
}

export interface StoredMedia {
  id: string;
  accountId: string;
  taskId: string | undefined;
  purpose: MediaPurpose;
  /** Signed, and the same at every read. */
  url: string;
  contentType: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  width: number | undefined;
  height: number | undefined;
  createdAt: Date;
  /** A whole second, the one in the link. */
  expiresAt: Date;
  /** The bytes are gone since then. */
  deletedAt: Date | undefined;
}

/** There was such an object, or its link; there is none any more. */
export class MediaGoneError extends Error {
  constructor(id: string, options?: ErrorOptions) {
    super(`media object ${id} is gone`, options);
    this.name = 'MediaGoneError';
  }
}

const PARALLEL_REMOVALS = 8;
const ROW_LIFE_MS = 30 * 24 * 60 * 60 * 1000;
const START = { expiresAt: new Date(0), id: '' };

/** The statements that the store needs. */
export type MediaDatabase = Pick<
  Database,
  | 'findExceededLimit'
  | 'findExpiredMedia'
  | 'findMedia'
  | 'insertMedia'
  | 'markMediaDeleted'
  | 'pruneMedia'
  | 'recordUpload'
>;

/** Files of results and uploads: bytes in the storage, facts in the database, signed links to both. */
export class MediaStore {
  readonly #database: MediaDatabase;
  readonly #storage: Storage;
  readonly #links: Links;
  /** Where the next run of `expireMedia` begins. */
  #expiredUpTo: Pick<ExpiredRow, 'expiresAt' | 'id'> = START;

  constructor({ database, storage, links }: { database: MediaDatabase; storage: Storage; links: Links }) {
    this.#database = database;
    this.#storage = storage;
    this.#links = links;
  }

  /** Writes the bytes first and the row after: what has a row can be read. Without the row the bytes are removed again. */
  save(media: MediaToSave): Promise<StoredMedia> {
    const { accountId, taskId = null, purpose } = media;
    return this.#keep(media, purpose, async (file) => {
      const [row] = await this.#database.insertMedia({ ...file, accountId, taskId, purpose });
      if (row === undefined) throw new Error('the media row was not returned');
      return row;
    });
  }

  /** Saves a caller's own file, within the quotas of its account and key. @throws UploadQuotaError */
  async saveUpload(upload: UploadToSave): Promise<StoredMedia> {
    const { accountId, keyId, bytes } = upload;
    const limits = quotaValues(upload.quotas);
    const [excess] = await this.#database.findExceededLimit(upload, bytes.length, limits);
    // Only saves a write in vain: the statement that records the upload decides.
    refuseExcess(excess?.exceeded);
    return this.#keep(upload, 'upload', async (file) => {
      const [recorded] = await this.#database.recordUpload({ ...file, accountId, keyId }, limits);
      if (recorded === undefined) throw new Error('the upload was not recorded');
      refuseExcess(recorded.exceeded);
      const { created: createdAt, expires: expiresAt } = recorded;
      const { lifetimeMs: _, ...facts } = file;
      const sha256 = file.sha256.toString('hex');
      return { ...facts, accountId, taskId: null, purpose: 'upload', sha256, createdAt, expiresAt, deletedAt: null };
    });
  }

  /** Also a file that has expired or was removed, so that a link can say so. Undefined: there never was one. */
  async find(id: string): Promise<StoredMedia | undefined> {
    const [row] = await this.#database.findMedia(id);
    return row && this.#toStoredMedia(row);
  }

  /** The caller destroys the stream. @throws MediaGoneError */
  async open(id: string, range?: ByteRange): Promise<Readable> {
    const [row] = await this.#database.findMedia(id);
    if (row === undefined || row.deletedAt !== null) throw new MediaGoneError(id);
    return this.#storage.open(row.storageKey, range).catch((error: unknown) => {
      throw error instanceof ObjectMissingError ? new MediaGoneError(id, { cause: error }) : error;
    });
  }

  /** The file in memory; for sizes that were checked before. @throws MediaGoneError */
  async read(id: string): Promise<Buffer> {
    return buffer(await this.open(id));
  }

  /** True when the URL has the shape of our links, valid or not: it is read from the storage or refused, never fetched. */
  ownsUrl(url: string): boolean {
    return this.#links.parseOwnUrl(url) !== undefined;
  }

  /** The file of a genuine link that has not expired. */
  async resolveOwnUrl(url: string): Promise<StoredMedia | undefined> {
    const parts = this.#links.parseOwnUrl(url);
    if (parts === undefined) return undefined;
    if (this.#links.verify(parts.id, parts.expires, parts.signature) !== 'valid') return undefined;
    const media = await this.find(parts.id);
    return media?.deletedAt === undefined ? media : undefined;
  }

  /**
   * Removes the bytes of at most `limit` expired files; the rows stay and say when. A file that the storage could not remove
   * stays due, with an entry in `errors`, and is tried again after all that expired later.
   *
   * Bytes are removed before rows are marked: the next run repeats what a crash interrupted, and no valid link breaks.
   */
  async expireMedia(limit: number): Promise<{ removed: number; errors: unknown[] }> {
    const expired = await this.#database.findExpiredMedia(limit, this.#expiredUpTo);
    // Each run continues where the last one ended, so a file that cannot be removed never blocks the others.
    this.#expiredUpTo = (expired.length === limit && expired.at(-1)) || START;
    const outcomes = await boundedMap(expired, { limit: PARALLEL_REMOVALS }, ({ id, storageKey }) =>
      this.#storage.remove(storageKey).then(
        () => ({ id }),
        (error: unknown) => ({ error }),
      ),
    );
    const removed = outcomes.flatMap((outcome) => ('id' in outcome ? [outcome.id] : []));
    const errors = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []));
    if (removed.length > 0) await this.#database.markMediaDeleted(removed);
    return { removed: removed.length, errors };
  }

  /** Deletes at most `limit` rows whose bytes have been gone for 30 days; answers how many. Their links stay expired. */
  async pruneMedia(limit: number): Promise<number> {
    const firstYoungId = timeOrderedId(Date.now() - ROW_LIFE_MS);
    return (await this.#database.pruneMedia({ limit, firstYoungId, deletedForMs: ROW_LIFE_MS })).length;
  }

  /** @param record writes the row. */
  async #keep(
    { bytes, contentType, width, height, lifetimeMs }: Omit<MediaToSave, 'purpose' | 'accountId'>,
    purpose: MediaPurpose,
    record: (file: Omit<StoredFile, 'accountId'>) => Promise<MediaRow>,
  ): Promise<StoredMedia> {
    const id = timeOrderedId();
    const storageKey = `${purpose}s/${id}.${extensionOf(contentType)}`;
    const { totalBytes, sha256 } = await this.#put(storageKey, bytes, contentType);
    try {
      const size = { bytes: totalBytes, width: width ?? null, height: height ?? null };
      return this.#toStoredMedia(await record({ id, storageKey, contentType, sha256, lifetimeMs, ...size }));
    } catch (error) {
      // The error of the row is the one to report; an object without a row does no harm but take storage.
      await this.#storage.remove(storageKey).catch(() => undefined);
      throw error;
    }
  }

  async #put(key: string, bytes: MediaBytes, contentType: string) {
    const { body, totalBytes, digest } = openUpload(bytes);
    try {
      await this.#storage.put(key, body, { contentType, bytes: totalBytes });
      return { totalBytes, sha256: digest() };
    } finally {
      // A storage that failed may have left the stream half read, with its file open.
      if (body instanceof Readable) body.destroy();
    }
  }

  #toStoredMedia({ storageKey: _, taskId, width, height, deletedAt, ...row }: MediaRow): StoredMedia {
    const url = this.#links.sign({ id: row.id, extension: extensionOf(row.contentType), expiresAt: row.expiresAt });
    return {
      ...row,
      url,
      taskId: taskId ?? undefined,
      width: width ?? undefined,
      height: height ?? undefined,
      deletedAt: deletedAt ?? undefined,
    };
  }
}
