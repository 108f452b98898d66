import { aboutField, type KnownMedia, type MediaReference, message } from '@mediagate/contracts';
import { addressesAreFiles } from '../addresses';
import type { MediaProblem } from '../entry';

interface MediaInput {
  image_urls?: readonly string[];
  mask_url?: string;
}

export const MEBIBYTE = 1_048_576;
/** A mask is stricter than an image, whichever way it comes. */
const MAX_MASK_BYTES = 4 * MEBIBYTE;

/** Rule: what an address leads to is judged where the file is. */
export const imageAddressesAreFiles = addressesAreFiles(({ image_urls: urls = [], mask_url: mask }: MediaInput) => [
  ...urls.map((url, index) => ({ field: `image_urls[${index}]`, url })),
  ...(mask === undefined ? [] : [{ field: 'mask_url', url: mask }]),
]);

/** The files the body names: images in the caller's order, then the mask, which means nothing without them. */
export function imageMedia(input: MediaInput, maxImageBytes: number): MediaReference[] {
  const images = (input.image_urls ?? []).map(
    (url, index): MediaReference => ({
      field: `image_urls[${index}]`,
      role: 'image',
      url,
      contentTypes: ['image/png', 'image/jpeg', 'image/webp'],
      maxBytes: maxImageBytes,
    }),
  );
  if (images.length === 0 || input.mask_url === undefined) return images;
  const mask = { field: 'mask_url', role: 'mask', url: input.mask_url } as const;
  return [...images, { ...mask, contentTypes: ['image/png'], maxBytes: MAX_MASK_BYTES, limits: { alpha: 'required' } }];
}

/** A mask covers the first image, pixel by pixel. */
export function maskFitsImage(media: readonly KnownMedia[]): MediaProblem | undefined {
  const image = media.find(({ role }) => role === 'image');
  const mask = media.find(({ role }) => role === 'mask');
  if (!image?.width || !image.height || !mask?.width || !mask.height) return undefined;
  if (mask.width === image.width && mask.height === image.height) return undefined;
  const sizes = { width: mask.width, height: mask.height, imageWidth: image.width, imageHeight: image.height };
  return { param: mask.field, message: aboutField(mask.field, message('mask_size', sizes)) };
}
