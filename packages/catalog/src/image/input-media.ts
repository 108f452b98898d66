import { aboutField, type KnownMedia, type MediaReference, message } from '@mediagate/contracts';
import { addressesAreHttp, isHttpUrl } from '../addresses';
import type { MediaProblem } from '../entry';
import { type RuleOutcome, reject } from '../rules';

interface MediaInput {
  image_urls?: readonly string[];
  mask_url?: string;
}

export const MEBIBYTE = 1_048_576;
/** A mask is stricter than an image, whichever way it comes. */
const MAX_MASK_BYTES = 4 * MEBIBYTE;

const PNG_DATA_URL = 'data:image/png;base64,';

/** Rule: whether the address may be called is for the guarded client to say; here it must only be an http or https URL. */
export const imageUrlsAreHttp = addressesAreHttp(({ image_urls: urls = [] }: MediaInput) =>
  urls.map((url, index) => ({ field: `image_urls[${index}]`, url })),
);

/** Rule: a mask is an http or https URL, or a PNG as a data URL; what the data URL holds is judged like any other file. */
export function maskIsUrlOrPng({ mask_url: mask }: MediaInput): RuleOutcome {
  if (mask === undefined || isHttpUrl(mask) || mask.startsWith(PNG_DATA_URL)) return undefined;
  return reject('mask_url', 'must_be_url_or_begin_with', { prefix: PNG_DATA_URL });
}

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
