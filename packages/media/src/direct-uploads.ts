import type { Readable } from 'node:stream';
import { timeOrderedId } from '@mediagate/contracts';
import { type Database, sees, type Visibility } from '@mediagate/database';
import type { AcceptedFile } from './accept-file';
import type { Links } from './links';
import { MediaGoneError } from './media-error';
import { ObjectMissingError, type PutLink, type PutLinkOptions, type Storage } from './storage/storage';
import { keepMedia, type StoredMedia, toStoredMedia } from './stored-media';
import { quotaValues, refuseExcess, type UploadQuotas } from './upload-quota';

export type DirectUploadDatabase = Pick<Database, 'completeUpload' | 'findMedia' | 'keepUpload' | 'releaseUpload'>;

export interface DirectUploadsDeps {
  database: DirectUploadDatabase;
  storage: Storage;
  links: Pick<Links, 'sign'>;
  linkForPut(key: string, options: PutLinkOptions): Promise<PutLink>;
}

export interface UploadToAnnounce {
  accountId: string;
  keyId: string;
  bytes: number;
  quotas: UploadQuotas;
}

export interface AnnouncedUpload extends Omit<PutLink, 'endsAt'> {
  id: string;
  /** When the link ends. */
  linkExpiresAt: Date;
}

/** An upload whose bytes were not judged yet. */
export interface WaitingUpload {
  id: string;
  accountId: string;
  storageKey: string;
  bytes: number;
}

const LINK_LIFE_SECONDS = 30 * 60;
/** Twice the link's life, so that nothing is written to an upload after it was swept out, and a written file can be judged. */
const ANNOUNCED_LIFE_MS = 2 * LINK_LIFE_SECONDS * 1000;

/**
 * Uploads that callers write into the storage by themselves. An announced upload counts against the quotas at once. A file that is
 * judged good is written anew under another key, because the link goes on to open the first one until it lapses.
 */
export class DirectUploads {
  readonly #deps: DirectUploadsDeps;

  constructor(deps: DirectUploadsDeps) {
    this.#deps = deps;
  }

  /** @throws UploadQuotaError */
  async announce({ accountId, keyId, bytes, quotas }: UploadToAnnounce): Promise<AnnouncedUpload> {
    const { database, linkForPut } = this.#deps;
    const id = timeOrderedId();
    const storageKey = `incoming/${id}`;
    const { endsAt, ...link } = await linkForPut(storageKey, { bytes, lifetimeSeconds: LINK_LIFE_SECONDS });
    const unknown = {
      contentType: UNKNOWN_TYPE,
      sha256: NO_HASH,
      width: null,
      height: null,
      seconds: null,
      pages: null,
    };
    const row = { id, accountId, keyId, purpose: 'incoming', storageKey, bytes, ...unknown } as const;
    const [recorded] = await database.keepUpload({ ...row, lifetimeMs: ANNOUNCED_LIFE_MS }, quotaValues(quotas));
    if (recorded === undefined) throw new Error('the upload was not recorded');
    refuseExcess(recorded.exceeded);
    const lapsesAt = recorded.created.getTime() + LINK_LIFE_SECONDS * 1000;
    return { id, linkExpiresAt: new Date(Math.min(lapsesAt, endsAt?.getTime() ?? lapsesAt)), ...link };
  }

  /** Undefined: `who` sees no upload announced by this id, or it was announced too long ago, or was judged. */
  async find(id: string, who: Visibility): Promise<WaitingUpload | undefined> {
    const [row] = await this.#deps.database.findMedia(id);
    const isWaiting = row?.purpose === 'incoming' && sees(who, row) && row.deletedAt === null;
    return isWaiting && row.expiresAt.getTime() > Date.now() ? row : undefined;
  }

  /** Opens the file written so far; undefined: there is none. The caller destroys the stream. */
  async open({ storageKey }: WaitingUpload): Promise<Readable | undefined> {
    return this.#deps.storage.open(storageKey).catch((error: unknown) => {
      if (error instanceof ObjectMissingError) return undefined;
      throw error;
    });
  }

  /** Stores it as an upload with the facts that were found. @throws MediaGoneError: it is waiting no more. */
  async complete(
    waiting: WaitingUpload,
    file: AcceptedFile,
    { lifetimeMs }: { lifetimeMs: number },
  ): Promise<StoredMedia> {
    const { database, storage, links } = this.#deps;
    const { id, accountId } = waiting;
    const { seconds = null, pages = null } = file;
    const row = await keepMedia(storage, { ...file, purpose: 'upload', lifetimeMs }, async (kept) => {
      const [completed] = await database.completeUpload({
        ...kept,
        id,
        accountId,
        seconds,
        pages,
        leftoverId: timeOrderedId(),
      });
      if (completed === undefined) throw new MediaGoneError(id);
      return completed;
    });
    await this.#sweep(waiting);
    return toStoredMedia(row, links);
  }

  /** Gives back what it took of the quotas, and removes what was written. */
  async release(waiting: WaitingUpload): Promise<void> {
    await this.#deps.database.releaseUpload(waiting.id, waiting.accountId);
    await this.#sweep(waiting);
  }

  /** The expiry does it in any case: what cannot be removed now, or is written after this. */
  async #sweep({ storageKey }: WaitingUpload): Promise<void> {
    await this.#deps.storage.remove(storageKey).catch(() => undefined);
  }
}

const UNKNOWN_TYPE = 'application/octet-stream';
const NO_HASH = Buffer.alloc(0);
