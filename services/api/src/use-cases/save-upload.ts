import type { MediaStore, StoredMedia } from '@mediagate/media';

/** A caller's picture, looked at. Width and height in pixels. */
export interface ReceivedImage {
  bytes: Buffer;
  contentType: string;
  width: number;
  height: number;
}

export type SaveUpload = (accountId: string, image: ReceivedImage) => Promise<StoredMedia>;

/** Long enough for a batch prepared before a weekend. */
const UPLOAD_LIFETIME_MS = 72 * 60 * 60 * 1000;

/** Keeps a caller's picture under a link that `image_urls` takes. */
export function createSaveUpload(mediaStore: Pick<MediaStore, 'save'>): SaveUpload {
  return (accountId, { bytes, contentType, width, height }) =>
    mediaStore.save({
      ...{ accountId, bytes, contentType, width, height },
      purpose: 'upload',
      lifetimeMs: UPLOAD_LIFETIME_MS,
    });
}
