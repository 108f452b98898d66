import { createHash } from 'node:crypto';
import sharp from 'sharp';
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

export function createImageShelf(): ImageShelf {
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
      const bitmap = bitmapIn(bytes);
      if (bitmap) return { key, bytes: bytes.length, ...bitmap };
      const image = await inspectImage(bytes);
      if (!image) return undefined;
      const shelved = { key, bytes: bytes.length, ...image };
      const box = { width: MAX_SIDE_PIXELS, height: MAX_SIDE_PIXELS, fit: 'inside', withoutEnlargement: true } as const;
      const frame = await sharp(bytes)
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

const BITMAP_HEADER_BYTES = 26;

/** A BMP by its header: the image library reads none, so that no frame of it is kept. Undefined for other files, and for one that breaks off. */
function bitmapIn(bytes: Buffer): InspectedImage | undefined {
  if (bytes.length < BITMAP_HEADER_BYTES || bytes.toString('latin1', 0, 2) !== 'BM') return undefined;
  if (bytes.readUInt32LE(2) > bytes.length) return undefined;
  return { width: bytes.readInt32LE(18), height: Math.abs(bytes.readInt32LE(22)), format: 'bmp', hasAlpha: false };
}
