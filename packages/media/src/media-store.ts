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

export interface MediaStore {
  /** Bytes first, then the row: what has a row can be read. Without the row the bytes are removed again. */
  save(media: MediaToSave): Promise<StoredMedia>;
  /** The same of a caller's own file, within the quotas of its account and key. Throws UploadQuotaError. */
  saveUpload(upload: UploadToSave): Promise<StoredMedia>;
  /** Also what has expired or was removed, so that a link can say so. Undefined: never existed. */
  find(id: string): Promise<StoredMedia | undefined>;
  /** Rejects with MediaGoneError. The stream is the caller's to destroy. */
  open(id: string, range?: ByteRange): Promise<Readable>;
  /** The whole object in memory; for sizes that were looked at before. Rejects with MediaGoneError. */
  read(id: string): Promise<Buffer>;
  /** True when the URL has the shape of our links, good or not: it is read from storage or refused, never fetched. */
  ownsUrl(url: string): boolean;
  /** The object of a genuine link that has not expired. */
  resolveOwnUrl(url: string): Promise<StoredMedia | undefined>;
  /**
   * Removes the bytes of at most `limit` expired objects; the rows stay and say when. What the storage would not remove
   * stays due, with an entry in `errors`, and is tried again after all that expired later.
   */
  expireMedia(limit: number): Promise<{ removed: number; errors: unknown[] }>;
  /** Deletes at most `limit` rows whose bytes have been gone for 30 days; answers how many. Their links stay expired. */
  pruneMedia(limit: number): Promise<number>;
}

const PARALLEL_REMOVALS = 8;
const ROW_LIFE_MS = 30 * 24 * 60 * 60 * 1000;
const FIRST_PLACE = { expiresAt: new Date(0), id: '' };

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

export function createMediaStore(deps: { database: MediaDatabase; storage: Storage; links: Links }): MediaStore {
  const { database, storage, links } = deps;
  /** Where the next run of `expireMedia` begins. */
  let place: Pick<ExpiredRow, 'expiresAt' | 'id'> = FIRST_PLACE;

  function save(media: MediaToSave): Promise<StoredMedia> {
    const { accountId, taskId = null, purpose } = media;
    return keep(media, purpose, async (file) => {
      const [row] = await database.insertMedia({ ...file, accountId, taskId, purpose });
      if (row === undefined) throw new Error('the media row was not returned');
      return row;
    });
  }

  async function saveUpload(upload: UploadToSave): Promise<StoredMedia> {
    const { accountId, keyId, bytes } = upload;
    const limits = quotaValues(upload.quotas);
    const [excess] = await database.findExceededLimit(upload, bytes.length, limits);
    // Only so that nothing is written in vain: what counts is the statement that records the upload.
    refuseExcess(excess?.exceeded);
    return keep(upload, 'upload', async (file) => {
      const [recorded] = await database.recordUpload({ ...file, accountId, keyId }, limits);
      if (recorded === undefined) throw new Error('the upload was not recorded');
      refuseExcess(recorded.exceeded);
      const { created: createdAt, expires: expiresAt } = recorded;
      const { lifetimeMs: _, ...facts } = file;
      const sha256 = file.sha256.toString('hex');
      return { ...facts, accountId, taskId: null, purpose: 'upload', sha256, createdAt, expiresAt, deletedAt: null };
    });
  }

  /** `record` writes the row. */
  async function keep(
    { bytes, contentType, width, height, lifetimeMs }: Omit<MediaToSave, 'purpose' | 'accountId'>,
    purpose: MediaPurpose,
    record: (file: Omit<StoredFile, 'accountId'>) => Promise<MediaRow>,
  ): Promise<StoredMedia> {
    const id = timeOrderedId();
    const storageKey = `${purpose}s/${id}.${extensionOf(contentType)}`;
    const { totalBytes, sha256 } = await put(storageKey, bytes, contentType);
    try {
      const size = { bytes: totalBytes, width: width ?? null, height: height ?? null };
      return toStoredMedia(await record({ id, storageKey, contentType, sha256, lifetimeMs, ...size }));
    } catch (error) {
      // As far as it goes: the row's fault is the one to tell, and an object that nothing names does no harm but take room.
      await storage.remove(storageKey).catch(() => undefined);
      throw error;
    }
  }

  async function put(key: string, bytes: MediaBytes, contentType: string) {
    const { body, totalBytes, digest } = openUpload(bytes);
    try {
      await storage.put(key, body, { contentType, bytes: totalBytes });
      return { totalBytes, sha256: digest() };
    } finally {
      // A storage that failed may have left it half read, with its file open.
      if (body instanceof Readable) body.destroy();
    }
  }

  async function find(id: string): Promise<StoredMedia | undefined> {
    const [row] = await database.findMedia(id);
    return row && toStoredMedia(row);
  }

  async function open(id: string, range?: ByteRange): Promise<Readable> {
    const [row] = await database.findMedia(id);
    if (row === undefined || row.deletedAt !== null) throw new MediaGoneError(id);
    return storage.open(row.storageKey, range).catch((error: unknown) => {
      throw error instanceof ObjectMissingError ? new MediaGoneError(id, { cause: error }) : error;
    });
  }

  async function resolveOwnUrl(url: string): Promise<StoredMedia | undefined> {
    const parts = links.parseOwnUrl(url);
    if (parts === undefined || links.verify(parts.id, parts.expires, parts.signature) !== 'valid') return undefined;
    const media = await find(parts.id);
    return media?.deletedAt === undefined ? media : undefined;
  }

  // Bytes before rows: a crash in between is made good by the next run, and no link that still opens is touched.
  async function expireMedia(limit: number): Promise<{ removed: number; errors: unknown[] }> {
    const expired = await database.findExpiredMedia(limit, place);
    // Each run goes on where the last one ended, so what cannot be removed never stands in the way of the rest.
    place = (expired.length === limit && expired.at(-1)) || FIRST_PLACE;
    const outcomes = await boundedMap(expired, { limit: PARALLEL_REMOVALS }, ({ id, storageKey }) =>
      storage.remove(storageKey).then(
        () => ({ id }),
        (error: unknown) => ({ error }),
      ),
    );
    const removed = outcomes.flatMap((outcome) => ('id' in outcome ? [outcome.id] : []));
    const errors = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []));
    if (removed.length > 0) await database.markMediaDeleted(removed);
    return { removed: removed.length, errors };
  }

  async function pruneMedia(limit: number): Promise<number> {
    const firstYoungId = timeOrderedId(Date.now() - ROW_LIFE_MS);
    return (await database.pruneMedia({ limit, firstYoungId, deletedForMs: ROW_LIFE_MS })).length;
  }

  function toStoredMedia({ storageKey: _, taskId, width, height, deletedAt, ...row }: MediaRow): StoredMedia {
    const url = links.sign({ id: row.id, extension: extensionOf(row.contentType), expiresAt: row.expiresAt });
    return {
      ...row,
      url,
      taskId: taskId ?? undefined,
      width: width ?? undefined,
      height: height ?? undefined,
      deletedAt: deletedAt ?? undefined,
    };
  }

  return {
    save,
    saveUpload,
    find,
    open,
    read: async (id) => buffer(await open(id)),
    ownsUrl: (url) => links.parseOwnUrl(url) !== undefined,
    resolveOwnUrl,
    expireMedia,
    pruneMedia,
  };
}
