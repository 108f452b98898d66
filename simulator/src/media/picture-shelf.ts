import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { type BitmapReader, isBitmap } from './bitmap';
import { type InspectedImage, inspectImage } from './render';

/** A caller's picture, examined; its frame can be had again by the key. */
export interface ShelvedPicture extends InspectedImage {
  key: string;
  bytes: number;
}

/** Keeps callers' pictures until a film is made of them: once each, and no larger than a film shows. */
export interface PictureShelf {
  /** Undefined when the bytes are no picture that decodes to the end. */
  put(bytes: Buffer): Promise<ShelvedPicture | undefined>;
  /** Undefined when it was never there, or had to make room. */
  find(key: string): Buffer | undefined;
}

const MAX_SIDE_PIXELS = 1_920;
const MAX_SHELF_BYTES = 128 * 1024 * 1024;

/** Without a reader of bitmaps they are no pictures. */
export function createPictureShelf({ readBitmap }: { readBitmap?: BitmapReader } = {}): PictureShelf {
  const shelf = new Map<string, { picture: ShelvedPicture; frame: Buffer }>();
  let totalBytes = 0;

  const keep = (picture: ShelvedPicture, frame: Buffer) => {
    shelf.set(picture.key, { picture, frame });
    totalBytes += frame.length;
    for (const [key, { frame: oldest }] of shelf) {
      if (totalBytes <= MAX_SHELF_BYTES || key === picture.key) break;
      shelf.delete(key);
      totalBytes -= oldest.length;
    }
  };

  return {
    async put(bytes) {
      const key = createHash('sha256').update(bytes).digest('hex');
      const known = shelf.get(key);
      if (known) return known.picture;
      const readable = isBitmap(bytes) ? await readBitmap?.(bytes) : bytes;
      const image = readable && (await inspectImage(readable));
      if (!image) return undefined;
      const picture = { key, bytes: bytes.length, ...image, ...(readable === bytes ? {} : { format: 'bmp' }) };
      const box = { width: MAX_SIDE_PIXELS, height: MAX_SIDE_PIXELS, fit: 'inside', withoutEnlargement: true } as const;
      const frame = await sharp(readable).flatten({ background: '#fff' }).resize(box).jpeg({ quality: 92 }).toBuffer();
      // Two calls with one picture may have examined it at the same time.
      if (!shelf.has(key)) keep(picture, frame);
      return picture;
    },
    find: (key) => shelf.get(key)?.frame,
  };
}
