import { message } from '@mediagate/contracts';
import sharp from 'sharp';
import { type AcceptedFile, type FileLimits, tooLarge } from './accept-file';
import { firstFrameOfGif } from './image-end';
import { MediaError } from './media-error';

/** Unlike the header alone, an image that is converted is unfolded in memory: four bytes a pixel, so 64 MB each here. */
const MAX_CONVERTED_PIXELS = 16_000_000;

/**
 * Makes the file one that models take: a GIF, which no model reads, becomes its first frame as PNG; anything else stays as it is.
 * The limits are those the file was accepted under. Throws MediaError.
 */
export async function toStillImage(limits: FileLimits, file: AcceptedFile): Promise<AcceptedFile> {
  if (file.contentType !== 'image/gif') return file;
  const { width = 0, height = 0 } = file;
  if (width * height > MAX_CONVERTED_PIXELS) {
    const limit = MAX_CONVERTED_PIXELS / 1e6;
    throw new MediaError(limits.field, message('gif_pixels', { width, height, limit }));
  }
  const { data, info } = await firstFrameAsPng(file.bytes).catch((cause: unknown) => {
    throw new MediaError(limits.field, message('image_unreadable'), { cause });
  });
  if (data.length > limits.maxBytes) throw tooLarge(limits, data.length);
  return { bytes: data, contentType: 'image/png', width: info.width, height: info.height };
}

async function firstFrameAsPng(bytes: Buffer) {
  const frame = await firstFrameOfGif(bytes);
  const image = sharp(frame, { limitInputPixels: MAX_CONVERTED_PIXELS, pages: 1, failOn: 'warning' });
  return image.png().toBuffer({ resolveWithObject: true });
}
