import { bytesIn, message } from '@mediagate/contracts';
import sharp from 'sharp';
import { type AcceptedFile, CONVERTED, type FileLimits, tooLarge } from './accept-file';
import { firstFrameOfGif } from './image-end';
import { MediaError } from './media-error';

/** Unlike the header alone, an image that is converted is unfolded in memory: four bytes a pixel, so 64 MB each here. */
const MAX_CONVERTED_PIXELS = 16_000_000;

/**
 * Makes the file one that models take: of a GIF and an AVIF, which no model reads, the first frame becomes a PNG, and that of an AVIF
 * without transparency, which is a photo, a JPEG; anything else stays as it is. The limits are
 * those the file was accepted under. Throws MediaError, and what `takeMemory` throws where the process may not hold so many bytes.
 */
export async function toStillImage(
  limits: FileLimits,
  file: AcceptedFile,
  takeMemory: (bytes: number) => void,
): Promise<AcceptedFile> {
  const type = CONVERTED.get(file.contentType);
  if (type === undefined) return file;
  const { width = 0, height = 0 } = file;
  if (width * height > MAX_CONVERTED_PIXELS) {
    const limit = MAX_CONVERTED_PIXELS / 1e6;
    throw new MediaError(limits.field, message('converted_pixels', { width, height, limit, type }));
  }
  takeMemory(bytesIn(file.bytes));
  const { data, info } = await firstFrame(file).catch((cause: unknown) => {
    throw new MediaError(limits.field, message('image_unreadable'), { cause });
  });
  if (data.length > limits.maxBytes) throw tooLarge(limits, data.length);
  return { bytes: data, contentType: `image/${info.format}`, width: info.width, height: info.height };
}

async function firstFrame({ bytes, contentType }: AcceptedFile) {
  const frame = contentType === 'image/gif' ? await firstFrameOfGif(bytes) : bytes;
  const image = sharp(Buffer.isBuffer(frame) ? frame : frame.path, {
    limitInputPixels: MAX_CONVERTED_PIXELS,
    pages: 1,
    failOn: 'warning',
  }).autoOrient();
  const { hasAlpha } = await image.metadata();
  const isPhoto = contentType === 'image/avif' && !hasAlpha;
  const still = isPhoto ? image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }) : image.png();
  return still.toBuffer({ resolveWithObject: true });
}
