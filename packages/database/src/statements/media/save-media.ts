import type { Statement } from '../../statement';
import { MEDIA_COLUMNS, type MediaPurpose, type MediaRow } from './media-row';

export interface StoredFile {
  id: string;
  accountId: string;
  storageKey: string;
  contentType: string;
  bytes: number;
  sha256: Buffer;
  width: number | null;
  height: number | null;
  lifetimeMs: number;
}

export interface NewMedia extends StoredFile {
  taskId: string | null;
  purpose: MediaPurpose;
}

/** The expiry is cut to a whole second, because links and records tell it in seconds. */
export const insertMedia: Statement<[media: NewMedia], MediaRow> = {
  text: `
insert into media_objects (id, account_id, task_id, purpose, storage_key, content_type, bytes, sha256, width, height, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, date_trunc('second', now() + make_interval(secs => $11::float8 / 1000)))
returning ${MEDIA_COLUMNS}`,
  values: ({ id, accountId, taskId, purpose, storageKey, contentType, bytes, sha256, width, height, lifetimeMs }) => [
    id,
    accountId,
    taskId,
    purpose,
    storageKey,
    contentType,
    bytes,
    sha256,
    width,
    height,
    lifetimeMs,
  ],
};

/** Limits of account and key, in the order of `exceeded_upload_limit`. */
type Limits = readonly number[];

export interface NewUpload extends StoredFile {
  keyId: string;
  purpose: 'upload' | 'incoming';
  seconds: number | null;
  pages: number | null;
}

/** The function `keep_upload`. `exceeded`: the limit that forbade it; nothing was written. */
export const keepUpload: Statement<
  [upload: NewUpload, limits: Limits],
  { exceeded: string | null; created: Date; expires: Date }
> = {
  text: 'select * from keep_upload($1, $2)',
  values: (upload, limits) => [
    JSON.stringify({
      id: upload.id,
      account_id: upload.accountId,
      key_id: upload.keyId,
      purpose: upload.purpose,
      storage_key: upload.storageKey,
      content_type: upload.contentType,
      bytes: upload.bytes,
      sha256: upload.sha256.toString('hex'),
      width: upload.width,
      height: upload.height,
      seconds: upload.seconds,
      pages: upload.pages,
      life_ms: upload.lifetimeMs,
    }),
    limits,
  ],
};

export interface UploadOwner {
  accountId: string;
  keyId: string;
}

export const findExceededLimit: Statement<
  [owner: UploadOwner, bytes: number, limits: Limits],
  { exceeded: string | null }
> = {
  text: 'select exceeded_upload_limit($1, $2, $3, $4) as exceeded',
  values: ({ accountId, keyId }, bytes, limits) => [accountId, keyId, bytes, limits],
};
