import { type MediaReference, mediaIdOf } from '@mediagate/contracts';
import { goneFile, goneLink, unknownFile } from './media-error';
import type { MediaStore } from './media-store';
import type { StoredMedia } from './stored-media';

/**
 * The file of our own that a reference names, by its link or by its id. A link opens for whoever holds it, an id only for the
 * account of the file. Throws MediaError.
 */
export async function findOwnMedia(
  store: Pick<MediaStore, 'findUpload' | 'resolveOwnUrl'>,
  { field, url }: Pick<MediaReference, 'field' | 'url'>,
  accountId: string | undefined,
): Promise<StoredMedia> {
  const id = mediaIdOf(url);
  if (id === undefined) {
    const media = await store.resolveOwnUrl(url);
    if (media === undefined) throw goneLink(field);
    return media;
  }
  const file = accountId === undefined ? undefined : await store.findUpload(id, accountId);
  if (file === undefined) throw unknownFile(field);
  if (file.deletedAt !== undefined || file.expiresAt.getTime() <= Date.now()) throw goneFile(field);
  return file;
}
