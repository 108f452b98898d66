import type { MediaReference } from '@mediagate/contracts';
import { type RuleOutcome, reject } from '../rules';

interface MediaInput {
  image_urls?: readonly string[];
  mask_url?: string;
}

/** Characters. */
export const MAX_URL_LENGTH = 8192;
export const MEBIBYTE = 1_048_576;
/** A mask is stricter than a picture, whichever way it comes. */
const MAX_MASK_BYTES = 4 * MEBIBYTE;

const PNG_DATA_URL = /^data:image\/png;base64,/i;
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Rule: whether the address may be called is for the guarded client to say; here it must only be an http or https URL. */
export function imageUrlsAreHttp({ image_urls: urls = [] }: MediaInput): RuleOutcome {
  const index = urls.findIndex((url) => !isHttpUrl(url));
  return index === -1 ? undefined : reject(`image_urls[${index}]`, `image_urls[${index}] must be an http or https URL`);
}

/** Rule: a mask is an http or https URL, or a PNG of at most 4 MB as a data URL. */
export function maskIsUrlOrPng({ mask_url: mask }: MediaInput): RuleOutcome {
  if (mask === undefined || isHttpUrl(mask)) return undefined;
  const prefix = PNG_DATA_URL.exec(mask)?.[0];
  if (prefix === undefined) {
    return reject('mask_url', 'mask_url must be an http or https URL or begin with data:image/png;base64,');
  }
  const problem = pngProblem(mask.slice(prefix.length));
  return problem === undefined ? undefined : reject('mask_url', `mask_url ${problem}`);
}

/** The files the body names: pictures in the caller's order, then the mask, which means nothing without them. */
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
  return [...images, { ...mask, contentTypes: ['image/png'], maxBytes: MAX_MASK_BYTES }];
}

function isHttpUrl(text: string): boolean {
  return text.length <= MAX_URL_LENGTH && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function pngProblem(base64: string): string | undefined {
  // Judged by length before decoding; padding makes the figure at most two bytes too large.
  if ((base64.length / 4) * 3 - 2 > MAX_MASK_BYTES) return `must decode to at most ${MAX_MASK_BYTES} bytes`;
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return 'must be base64 after the comma';
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_MASK_BYTES) return `must decode to at most ${MAX_MASK_BYTES} bytes`;
  return bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE) ? undefined : 'must hold a PNG';
}
