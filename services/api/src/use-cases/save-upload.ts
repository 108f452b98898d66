import type { AcceptedFile, MediaStore, StoredMedia } from '@mediagate/media';

export type SaveUpload = (accountId: string, file: AcceptedFile) => Promise<StoredMedia>;

/** Long enough for a batch prepared before a weekend. */
const UPLOAD_LIFETIME_MS = 72 * 60 * 60 * 1000;

/** Keeps a caller's picture under a link that `image_urls` takes. */
export function createSaveUpload(mediaStore: Pick<MediaStore, 'save'>): SaveUpload {
  return (accountId, file) =>
    mediaStore.save({ ...file, accountId, purpose: 'upload', lifetimeMs: UPLOAD_LIFETIME_MS });
}
