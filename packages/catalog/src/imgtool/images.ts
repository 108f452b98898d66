import type { MediaReference } from '@mediagate/contracts';
import { addressesAreFiles } from '../addresses';

const MEBIBYTE = 1_048_576;
/** The largest image that the vendor takes. */
const MAX_IMAGE_BYTES = 12 * MEBIBYTE;

interface Files {
  image_urls?: readonly string[];
  mask_url?: string;
  end_url?: string;
}

/** Rule: every address is valid; the file behind it is judged where the file is. */
export const imagesAreFiles = addressesAreFiles(imageFiles);

/** The images of the body in its order, then the mask, and the image that a video ends with. */
export function imageFiles({ image_urls: urls = [], mask_url: mask, end_url: end }: Files): MediaReference[] {
  const limits = { contentTypes: ['image/png', 'image/jpeg', 'image/webp'], maxBytes: MAX_IMAGE_BYTES };
  return [
    ...urls.map((url, index): MediaReference => ({ field: `image_urls[${index}]`, role: 'image', url, ...limits })),
    ...(mask === undefined ? [] : [{ field: 'mask_url', role: 'mask' as const, url: mask, ...limits }]),
    ...(end === undefined ? [] : [{ field: 'end_url', role: 'image' as const, url: end, ...limits }]),
  ];
}
