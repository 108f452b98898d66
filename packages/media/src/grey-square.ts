import { Slots } from '@mediagate/concurrency';
import type { MediaBytes, Owner } from '@mediagate/contracts';
import sharp from 'sharp';

/** Rows and columns of a square of grey. */
export const GREY_SIDE = 32;
/** The limit of an image that is decoded. */
const MAX_PIXELS = 64_000_000;
/** The library gives up an image that takes longer. */
const MAX_SECONDS = 10;

export type GreySquarer = (bytes: MediaBytes, options: { owner: Owner; signal: AbortSignal }) => Promise<Buffer>;

/**
 * Squeezes an image into a small square of grey: one byte a pixel, row by row. The work is done beside the event loop, on one image at a
 * time: most are read row by row; interlaced PNG, progressive JPEG, AVIF and WebP without losses are unfolded in memory. Throws what the library does; the signal's reason.
 */
export function createGreySquarer(): GreySquarer {
  const slots = new Slots({ capacity: 1 });

  return async (bytes, { owner, signal }) => {
    const { release } = await slots.take({ owner }, signal);
    const file = Buffer.isBuffer(bytes) ? bytes : bytes.path;
    try {
      return await sharp(file, { limitInputPixels: MAX_PIXELS, pages: 1, sequentialRead: true })
        .timeout({ seconds: MAX_SECONDS })
        .flatten({ background: '#ffffff' })
        .resize(GREY_SIDE, GREY_SIDE, { fit: 'fill' })
        .greyscale()
        .raw({ depth: 'uchar' })
        .toBuffer();
    } finally {
      release();
    }
  };
}
