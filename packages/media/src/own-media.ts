import { type MediaReference, mediaIdOf, type Owner } from '@mediagate/contracts';
import type { Visibility } from '@mediagate/database';
import { goneFile, goneLink, unknownFile } from './media-error';
import type { MediaStore } from './media-store';
import type { StoredMedia } from './stored-media';

/** For whom a file is found. With `ownKeyId` it is a caller, who may name files by their ids; workers are given links. */
export type FileOwner = Owner & Partial<Pick<Visibility, 'ownKeyId'>>;

/**
 * The file of our own that a reference names, by its link or by its id. A link opens for whoever holds it, an id only for
 * who sees the file. Throws MediaError.
 */
export async function findOwnMedia(
  store: Pick<MediaStore, 'findUpload' | 'resolveOwnUrl'>,
  { field, url }: Pick<MediaReference, 'field' | 'url'>,
  { accountId, ownKeyId }: FileOwner,
): Promise<StoredMedia> {
  const id = mediaIdOf(url);
  if (id === undefined) {
    const media = await store.resolveOwnUrl(url);
    if (media === undefined) throw goneLink(field);
    return media;
  }
  const file = ownKeyId === undefined ? undefined : await store.findUpload(id, { accountId, ownKeyId });
  if (file === undefined) throw unknownFile(field);
  if (file.deletedAt !== undefined || file.expiresAt.getTime() <= Date.now()) throw goneFile(field);
  return file;
}
