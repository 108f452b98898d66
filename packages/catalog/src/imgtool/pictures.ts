import type { MediaReference } from '@mediagate/contracts';
import { isHttpUrl } from '../addresses';
import { type RuleOutcome, reject, together } from '../rules';

const MEBIBYTE = 1_048_576;
/** What the vendor takes of one picture. */
const MAX_PICTURE_BYTES = 12 * MEBIBYTE;
const DATA_URL = /^data:image\/(?:png|jpeg|jpg|webp);base64,/i;

interface Files {
  image_urls?: readonly string[];
  mask_url?: string;
  end_url?: string;
}

/** Rule: what a data URL holds is judged like any other file. */
export function picturesAreUrls(input: Files): RuleOutcome {
  const wrong = pictureFiles(input).filter(({ url }) => !isHttpUrl(url) && !DATA_URL.test(url));
  return together(wrong.map(({ field }) => reject(field, 'must_be_url_or_image')));
}

/** The pictures of the body in its order, then the mask, and the picture that a film ends with. */
export function pictureFiles({ image_urls: urls = [], mask_url: mask, end_url: end }: Files): MediaReference[] {
  const limits = { contentTypes: ['image/png', 'image/jpeg', 'image/webp'], maxBytes: MAX_PICTURE_BYTES };
  return [
    ...urls.map((url, index): MediaReference => ({ field: `image_urls[${index}]`, role: 'image', url, ...limits })),
    ...(mask === undefined ? [] : [{ field: 'mask_url', role: 'mask' as const, url: mask, ...limits }]),
    ...(end === undefined ? [] : [{ field: 'end_url', role: 'image' as const, url: end, ...limits }]),
  ];
}
