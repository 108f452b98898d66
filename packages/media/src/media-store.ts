import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { bytesIn, mediaIdOf } from '@mediagate/contracts';
import { type Database, type ExpiredRow, sees, type UploadOwner, type Visibility } from '@mediagate/database';
import { type DirectUploadDatabase, DirectUploads } from './direct-uploads';
import type { Links } from './links';
import { MediaGoneError } from './media-error';
import { removeObjects } from './remove-objects';
import { type ByteRange, ObjectMissingError, type Storage } from './storage/storage';
import { StorageHealth, watchedStorage } from './storage/storage-health';
import { keepMedia, type MediaToKeep, type StoredMedia, toStoredMedia } from './stored-media';
import { StrayObjects } from './stray-objects';
import { type InputDatabase, TaskInputs } from './task-inputs';
import { quotaValues, refuseExcess, type UploadQuotas } from './upload-quota';

export interface MediaToSave extends MediaToKeep {
  accountId: string;
  taskId?: string;
  /** The key against whose quota it counts, and its account's; absent: it counts against none. */
  keyId?: string;
}

export interface UploadToSave extends Omit<MediaToKeep, 'purpose'> {
  accountId: string;
  keyId: string;
  /** The length of audio and video. */
  seconds?: number;
  /** The pages of a document. */
  pages?: number;
  quotas: UploadQuotas;
}

/** A page of a list: the newest before an id. */
export interface UploadPage {
  before?: string | undefined;
  limit: number;
}

const ROW_LIFE_MS = 30 * 24 * 60 * 60 * 1000;
const START = { expiresAt: new Date(0), id: '' };
/** Sorts behind every id. */
const LAST_ID = 'z';

/** The statements that the store needs. */
export type MediaDatabase = DirectUploadDatabase &
  InputDatabase &
  Pick<
    Database,
    | 'findExceededLimit'
    | 'findExpiredMedia'
    | 'findFirstId'
    | 'findKeptObjects'
    | 'findMedia'
    | 'insertMedia'
    | 'keepUpload'
    | 'listUploads'
    | 'markMediaDeleted'
    | 'pruneMedia'
    | 'readBeginning'
  >;

export interface MediaStoreParts {
  database: MediaDatabase;
  storage: Storage;
  /** Default: nothing is probed. */
  health?: StorageHealth;
  links: Links;
}

/** Files of results and uploads: bytes in the storage, facts in the database, signed links to both. */
export class MediaStore {
  readonly #database: MediaDatabase;
  readonly #storage: Storage;
  readonly #links: Links;
  /** Undefined: callers cannot write into this storage by themselves. */
  readonly directUploads: DirectUploads | undefined;
  readonly strayObjects: StrayObjects;
  readonly inputs: TaskInputs;
  /** Whether this process can keep what it makes. */
  readonly health: StorageHealth;
  /** Where the next run of `expireMedia` begins. */
  #expiredUpTo: Pick<ExpiredRow, 'expiresAt' | 'id'> = START;

  constructor({ database, storage: bare, health = new StorageHealth({ places: [] }), links }: MediaStoreParts) {
    const storage = watchedStorage(bare, health);
    this.health = health;
    this.#database = database;
    this.#storage = storage;
    this.#links = links;
    const { linkForPut } = storage;
    this.inputs = new TaskInputs({ database, storage, links });
    // Where the mark of a deployment is refused, results may be taken nevertheless.
    this.strayObjects = new StrayObjects({ database, storage: bare });
    this.directUploads = linkForPut && new DirectUploads({ database, storage, links, linkForPut });
  }

  async save(media: MediaToSave): Promise<StoredMedia> {
    const { accountId, taskId = null, keyId = null, purpose } = media;
    const kept = await keepMedia(this.#storage, media, async (file) => {
      const row = await this.#database.insertMedia({ ...file, accountId, taskId, keyId, purpose });
      if (row === undefined) throw new Error('the media row was not returned');
      return row;
    });
    return toStoredMedia(kept, this.#links);
  }

  /** @throws UploadQuotaError where the account or the key keeps as much as it may, uploads and results of test keys together. */
  async requireQuota(owner: UploadOwner, { account, key }: UploadQuotas): Promise<void> {
    const anyDay = { dayBytes: Number.MAX_SAFE_INTEGER, dayFiles: Number.MAX_SAFE_INTEGER };
    const limits = quotaValues({ account: { ...account, ...anyDay }, key: { ...key, ...anyDay } });
    const [excess] = await this.#database.findExceededLimit(owner, 0, limits);
    refuseExcess(excess?.exceeded);
  }

  /** Saves a caller's own file, within the quotas of its account and key. @throws UploadQuotaError */
  async saveUpload(upload: UploadToSave): Promise<StoredMedia> {
    const { accountId, keyId, seconds = null, pages = null } = upload;
    const limits = quotaValues(upload.quotas);
    const [excess] = await this.#database.findExceededLimit(upload, bytesIn(upload.bytes), limits);
    // Only saves a write in vain: the statement that records the upload decides.
    refuseExcess(excess?.exceeded);
    const purpose = 'upload';
    const kept = await keepMedia(this.#storage, { ...upload, purpose }, async (file) => {
      const facts = { ...file, accountId, purpose, seconds, pages } as const;
      const [recorded] = await this.#database.keepUpload({ ...facts, keyId }, limits);
      if (recorded === undefined) throw new Error('the upload was not recorded');
      refuseExcess(recorded.exceeded);
      const { created: createdAt, expires: expiresAt } = recorded;
      return {
        ...facts,
        keyId,
        taskId: null,
        sha256: file.sha256.toString('hex'),
        createdAt,
        expiresAt,
        deletedAt: null,
      };
    });
    return toStoredMedia(kept, this.#links);
  }

  /** An upload that `who` sees, also one that has expired or was removed. Undefined: there never was one. */
  async findUpload(id: string, who: Visibility): Promise<StoredMedia | undefined> {
    const [row] = await this.#database.findMedia(id);
    return row?.purpose === 'upload' && sees(who, row) ? toStoredMedia(row, this.#links) : undefined;
  }

  /** Uploads that `who` sees and that are there, the newest first. */
  async listUploads(who: Visibility, { before = LAST_ID, limit }: UploadPage): Promise<StoredMedia[]> {
    const rows = await this.#database.listUploads(who, { before, limit });
    return rows.map((row) => toStoredMedia(row, this.#links));
  }

  /** Removes the bytes and gives back what they took of the quotas. In this order, as at the expiry: it can be repeated. */
  async remove(id: string): Promise<void> {
    const [row] = await this.#database.findMedia(id);
    if (row === undefined) return;
    await this.#storage.remove(row.storageKey);
    await this.#database.markMediaDeleted([id]);
  }

  /** Also a file that has expired or was removed, so that a link can say so. Undefined: there never was one. */
  async find(id: string): Promise<StoredMedia | undefined> {
    const [row] = await this.#database.findMedia(id);
    return row && toStoredMedia(row, this.#links);
  }

  /** The caller destroys the stream. @throws MediaGoneError */
  async open(id: string, range?: ByteRange): Promise<Readable> {
    return this.#storage.open(await this.#keyOf(id), range).catch((error: unknown) => {
      throw error instanceof ObjectMissingError ? new MediaGoneError(id, { cause: error }) : error;
    });
  }

  /** The storage's own address of a file, for some minutes; undefined: it is read by `open`. @throws MediaGoneError */
  async addressOf(id: string): Promise<string | undefined> {
    const { linkForGet } = this.#storage;
    return linkForGet?.(await this.#keyOf(id));
  }

  async #keyOf(id: string): Promise<string> {
    const [row] = await this.#database.findMedia(id);
    if (row === undefined || row.deletedAt !== null) throw new MediaGoneError(id);
    return row.storageKey;
  }

  /** The file in memory; for sizes that were checked before. @throws MediaGoneError */
  async read(id: string): Promise<Buffer> {
    return buffer(await this.open(id));
  }

  /** True for the id of a file and for the shape of our links, valid or not: they are read from the storage or refused, never fetched. */
  ownsUrl(url: string): boolean {
    return mediaIdOf(url) !== undefined || this.#links.parseOwnUrl(url) !== undefined;
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
    const { removed, errors } = await removeObjects(this.#storage, expired);
    if (removed.length > 0) await this.#database.markMediaDeleted(removed.map(({ id }) => id));
    return { removed: removed.length, errors };
  }

  /** Deletes at most `limit` rows whose bytes have been gone for 30 days; answers how many. Their links stay expired. */
  async pruneMedia(limit: number): Promise<number> {
    return (await this.#database.pruneMedia({ limit, deletedForMs: ROW_LIFE_MS })).length;
  }
}
