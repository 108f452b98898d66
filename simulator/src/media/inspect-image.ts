import sharp from 'sharp';
import type { Canvas } from './drawing';

/** An image that a caller sent or named. */
export interface InspectedImage extends Canvas {
  format: string;
  hasAlpha: boolean;
}

const MAX_INPUT_PIXELS = 100_000_000;

/** Reads size and format of an image; undefined when the bytes are not one that decodes to the end. */
export async function inspectImage(bytes: Buffer): Promise<InspectedImage | undefined> {
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_INPUT_PIXELS });
    const { autoOrient, format, hasAlpha } = await image.metadata();
    // The header alone may lie: decoding finds a file that breaks off.
    await image.resize(8, 8, { fit: 'fill', fastShrinkOnLoad: false }).toBuffer();
    return { ...autoOrient, format, hasAlpha };
  } catch {
    return bitmapIn(bytes);
  }
}

const BITMAP_HEADER_BYTES = 26;

/** A BMP by its header, since the image library reads none. Undefined for other files, and for one that breaks off. */
function bitmapIn(bytes: Buffer): InspectedImage | undefined {
  if (bytes.length < BITMAP_HEADER_BYTES || bytes.toString('latin1', 0, 2) !== 'BM') return undefined;
  if (bytes.readUInt32LE(2) > bytes.length) return undefined;
  return { width: bytes.readInt32LE(18), height: Math.abs(bytes.readInt32LE(22)), format: 'bmp', hasAlpha: false };
}
