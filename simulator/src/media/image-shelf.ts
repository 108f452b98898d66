import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { type BitmapReader, isBitmap } from './bitmap';
import { type InspectedImage, inspectImage } from './render';

/** A caller's image, examined; its frame can be had again by the key. */
export interface ShelvedImage extends InspectedImage {
  key: string;
  bytes: number;
}

/** Keeps callers' images until a video is made of them: once each, and no larger than a video shows. */
export interface ImageShelf {
  /** Undefined when the bytes are no image that decodes to the end. */
  put(bytes: Buffer): Promise<ShelvedImage | undefined>;
  /** Undefined when the image was never there, or was dropped for others. */
  find(key: string): Buffer | undefined;
}

const MAX_SIDE_PIXELS = 1_920;
const MAX_SHELF_BYTES = 128 * 1024 * 1024;

/** Without a reader of bitmaps, bitmaps are no images. */
export function createImageShelf({ readBitmap }: { readBitmap?: BitmapReader } = {}): ImageShelf {
  const shelf = new Map<string, { shelved: ShelvedImage; frame: Buffer }>();
  let totalBytes = 0;

  const keep = (shelved: ShelvedImage, frame: Buffer) => {
    shelf.set(shelved.key, { shelved, frame });
    totalBytes += frame.length;
    for (const [key, { frame: oldest }] of shelf) {
      if (totalBytes <= MAX_SHELF_BYTES || key === shelved.key) break;
      shelf.delete(key);
      totalBytes -= oldest.length;
    }
  };

  return {
    async put(bytes) {
      const key = createHash('sha256').update(bytes).digest('hex');
      const known = shelf.get(key);
      if (known) return known.shelved;
      const readable = isBitmap(bytes) ? await readBitmap?.(bytes) : bytes;
      const image = readable && (await inspectImage(readable));
      if (!image) return undefined;
      const shelved = { key, bytes: bytes.length, ...image, ...(readable === bytes ? {} : { format: 'bmp' }) };
      const box = { width: MAX_SIDE_PIXELS, height: MAX_SIDE_PIXELS, fit: 'inside', withoutEnlargement: true } as const;
      const frame = await sharp(readable)
        .autoOrient()
        .flatten({ background: '#fff' })
        .resize(box)
        .jpeg({ quality: 92 })
        .toBuffer();
      // Two calls with one image may have examined it at the same time.
      if (!shelf.has(key)) keep(shelved, frame);
      return shelved;
    },
    find: (key) => shelf.get(key)?.frame,
  };
}
