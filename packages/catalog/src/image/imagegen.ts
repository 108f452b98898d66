import {
  type ImageRequest,
  type KnownMedia,
  type LoadedMedia,
  listed,
  type MediaReference,
  message,
} from '@mediagate/contracts';
import { fieldsOf } from '../fields-of';
import { cannotCombine, ignore, type Rule, reject, rejected, rewrite } from '../rules';
import { count, imageUrls, prompt } from './fields';
import {
  exactSizeProblem,
  IMAGEGEN_RATIOS,
  IMAGEGEN_RESOLUTIONS,
  IMAGEGEN_SIZES,
  type ImagegenRatio,
  type ImagegenResolution,
} from './imagegen-sizes';
import { imageAddressesAreFiles, imageMedia, MEBIBYTE, maskFitsImage } from './input-media';
import { cell, nearestRatio, parseExactSize, type Size } from './sizes';
import { tokenPricing } from './token-pricing';

type Quality = NonNullable<ImageRequest['quality']>;

/** Input of every imagegen model; they differ in the qualities they know. */
interface ImagegenInput {
  prompt: string;
  /** Absent: like the first image. */
  size?: string;
  resolution: ImagegenResolution;
  quality: Quality;
  n: number;
  output_format: 'png' | 'jpeg' | 'webp';
  output_compression?: number;
  background?: 'transparent' | 'opaque' | 'auto';
  moderation: 'low' | 'auto';
  image_urls?: readonly string[];
  mask_url?: string;
}

/** The vendor's; a deployment fetches 20 MiB unless it says otherwise. */
const MAX_IMAGE_BYTES = 50 * MEBIBYTE;
const PIXELS_OF_TOKEN_TABLE = 1024 * 1024;
const AUTO_SIZE: Size = { width: 1536, height: 1024 };

/** All fields but `quality`. */
const imagegenFields = {
  prompt,
  size: {
    type: 'string',
    maxLength: 16,
    description: `auto, one of ${IMAGEGEN_RATIOS.join(' ')}, or <width>x<height>. Default auto; with image_urls, the aspect ratio of the first image.`,
  },
  resolution: {
    type: 'string',
    enum: IMAGEGEN_RESOLUTIONS,
    default: '1k',
    description: 'Only together with an aspect ratio.',
  },
  n: count(4),
  output_format: { type: 'string', enum: ['png', 'jpeg', 'webp'], default: 'png' },
  output_compression: { type: 'integer', minimum: 0, maximum: 100, description: 'Only with jpeg and webp.' },
  background: {
    type: 'string',
    enum: ['transparent', 'opaque', 'auto'],
    description: 'transparent needs output_format png or webp.',
  },
  moderation: { type: 'string', enum: ['low', 'auto'], default: 'low' },
  image_urls: imageUrls(16),
  mask_url: {
    type: 'string',
    description:
      'Only with image_urls: a PNG with alpha, exactly as large as the first image, transparent where it may change. http or https URL, data URL, or id of a file.',
  },
} as const;

/** The schema, given the qualities that a model knows; `auto` leaves the choice to the vendor. */
export function imagegenInput<const Qualities extends readonly [...Quality[], 'auto']>(qualities: Qualities) {
  return fieldsOf(['prompt'], { ...imagegenFields, quality: { type: 'string', enum: qualities, default: 'auto' } });
}

const imagegenRules: readonly Rule<ImagegenInput>[] = [
  sizeIsAuto,
  sizeIsKnown,
  compressionNeedsLossyFormat,
  transparentNeedsAlphaFormat,
  maskNeedsImages,
  imageAddressesAreFiles,
  resolutionNeedsRatio,
];

/** The parts that all imagegen models share, to be spread into each. */
export const imagegen = {
  prices: {
    image_output: 30,
    image_input: 8,
    cached_image_input: 2,
    text_input: 5,
    cached_text_input: 1.25,
  },
  family: 'image',
  operation: 'images.generations',
  answersInBase64: true,
  // `size` is a choice without being an enum.
  canonical: { size: (text: string) => text.trim().toLowerCase() },
  rules: imagegenRules,
  media: imagegenMedia,
  checkMedia: (_input: ImagegenInput, media: readonly KnownMedia[]) => maskFitsImage(media),
  request: imagegenRequest,
  deadlineMinutes: 30,
  resultLifetimeHours: 24,
} as const;

/**
 * Pricing by the output tokens that a 1024x1024 image of each quality takes; other sizes scale with their pixels, rounded
 * up. The vendor's own choice, `auto`, is reserved at the dearest quality it may come to, and settled at the usual one where
 * the upstream does not report what it used.
 */
export function imagegenPricing<Level extends Exclude<Quality, 'auto'>>(
  tokensByQuality: Readonly<Record<Level, number>>,
  auto: { dearest: NoInfer<Level>; usual: NoInfer<Level> },
) {
  type Input = ImagegenInput & { quality: Level | 'auto' };
  const tokens = (input: Input, ofAuto: Level) => {
    const quality = input.quality === 'auto' ? ofAuto : input.quality;
    return Math.ceil((tokensByQuality[quality] * mostPixels(input)) / PIXELS_OF_TOKEN_TABLE);
  };
  return tokenPricing({
    most: (input: Input) => tokens(input, auto.dearest),
    usual: (input: Input) => tokens(input, auto.usual),
  });
}

/** The models of 2.5 and later know five qualities. */
export const finerImagegen = {
  ...imagegen,
  input: imagegenInput(['low', 'medium', 'high', 'xhigh', 'max', 'auto']),
  ...imagegenPricing(
    { low: 196, medium: 439, high: 1756, xhigh: 3122, max: 7024 },
    { dearest: 'max', usual: 'medium' },
  ),
} as const;

function imagegenMedia(input: ImagegenInput): MediaReference[] {
  return imageMedia(input, MAX_IMAGE_BYTES);
}

function imagegenRequest(input: ImagegenInput, media: readonly LoadedMedia[]): ImageRequest {
  const { output_compression: compression, background } = input;
  return {
    prompt: input.prompt,
    n: input.n,
    ...requestedSize(input, media),
    quality: input.quality,
    outputFormat: input.output_format,
    moderation: input.moderation,
    ...(compression !== undefined && { outputCompression: compression }),
    ...(background !== undefined && { background }),
  };
}

/** `like-input`: the ratio is read off the first image once it has been fetched. */
type SizeChoice = { ratio: ImagegenRatio } | { exact: Size } | 'auto' | 'like-input' | 'unknown';

function chosenSize({ size, image_urls: urls = [] }: ImagegenInput): SizeChoice {
  if (size === undefined) return urls.length > 0 ? 'like-input' : 'auto';
  if (size === 'auto') return 'auto';
  if (isRatio(size)) return { ratio: size };
  const exact = parseExactSize(size);
  return exact ? { exact } : 'unknown';
}

function isRatio(text: string): text is ImagegenRatio {
  return Object.hasOwn(IMAGEGEN_SIZES, text);
}

function requestedSize(
  input: ImagegenInput,
  media: readonly LoadedMedia[],
): Pick<ImageRequest, 'size' | 'aspectRatio'> {
  const choice = chosenSize(input);
  if (typeof choice === 'object' && 'exact' in choice) return { size: choice.exact };
  const ratio = typeof choice === 'object' ? choice.ratio : choice === 'like-input' ? ratioOf(media[0]) : undefined;
  if (ratio === undefined) return { size: 'auto' };
  return { size: cell(IMAGEGEN_SIZES[ratio][input.resolution]), aspectRatio: ratio };
}

function ratioOf(image: LoadedMedia | undefined): ImagegenRatio | undefined {
  if (!image?.width || !image.height) return undefined;
  return nearestRatio({ width: image.width, height: image.height }, IMAGEGEN_RATIOS);
}

/** The most pixels one image of this task can come to have. */
function mostPixels(input: ImagegenInput): number {
  const choice = chosenSize(input);
  if (typeof choice === 'object' && 'exact' in choice) return area(choice.exact);
  if (typeof choice === 'object') return area(cell(IMAGEGEN_SIZES[choice.ratio][input.resolution]));
  if (choice !== 'like-input') return area(AUTO_SIZE);
  return Math.max(...IMAGEGEN_RATIOS.map((ratio) => area(cell(IMAGEGEN_SIZES[ratio][input.resolution]))));
}

function area({ width, height }: Size): number {
  return width * height;
}

/** Without an image there is none to be like. The input says what is made. */
function sizeIsAuto({ size, image_urls: urls = [] }: ImagegenInput) {
  return size === undefined && urls.length === 0 ? rewrite({ size: 'auto' }) : undefined;
}

function sizeIsKnown(input: ImagegenInput) {
  const choice = chosenSize(input);
  if (choice === 'unknown') {
    return reject('size', 'size_choice', { values: IMAGEGEN_RATIOS.join(', ') });
  }
  const problem = typeof choice === 'object' && 'exact' in choice ? exactSizeProblem(choice.exact) : undefined;
  return problem === undefined ? undefined : rejected(problem);
}

function compressionNeedsLossyFormat({ output_compression: compression, output_format: format }: ImagegenInput) {
  if (compression === undefined || format !== 'png') return undefined;
  return cannotCombine('output_compression', 'requires', {
    other: message('with_value', { field: 'output_format', value: listed('or', ['jpeg', 'webp']) }),
  });
}

function transparentNeedsAlphaFormat({ background, output_format: format }: ImagegenInput) {
  if (background !== 'transparent' || format !== 'jpeg') return undefined;
  return cannotCombine('background', 'requires', {
    field: message('with_value', { field: 'background', value: 'transparent' }),
    other: message('with_value', { field: 'output_format', value: listed('or', ['png', 'webp']) }),
  });
}

function maskNeedsImages({ image_urls: urls = [] }: ImagegenInput) {
  return urls.length === 0 ? ignore('mask_url', 'ignored_without', { other: 'image_urls' }) : undefined;
}

function resolutionNeedsRatio(input: ImagegenInput) {
  const choice = chosenSize(input);
  if (choice === 'like-input' || (typeof choice === 'object' && 'ratio' in choice)) return undefined;
  return ignore('resolution', 'ignored_without_ratio', { other: 'size' });
}
