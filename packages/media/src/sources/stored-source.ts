import { buffer } from 'node:stream/consumers';
import type { MediaStore } from '../media-store';
import type { StoredMedia } from '../stored-media';
import type { ByteSource } from './byte-source';
import { createPieceSource } from './piece-source';

/** A file in our own storage, of which no more is read than is asked for. Reads reject with MediaGoneError. */
export function storedSource(
  store: Pick<MediaStore, 'open'>,
  { id, bytes }: Pick<StoredMedia, 'id' | 'bytes'>,
): ByteSource {
  const fetch = async (start: number, end: number) => buffer(await store.open(id, { start, end: end - 1 }));
  return createPieceSource({ totalBytes: bytes, fetch });
}
