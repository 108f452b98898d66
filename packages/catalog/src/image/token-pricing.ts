import { type Nano, proRata, type Usage } from '@mediagate/contracts';
import { textTokens } from '../text-tokens';
import type { Size } from './sizes';

/** Currency units per million tokens, as rates in nano-units. */
type TokenRates = Readonly<Record<TokenUnit, Nano>>;
type TokenUnit = 'text_input' | 'cached_text_input' | 'image_input' | 'cached_image_input' | 'image_output';
type TokenCounts = Partial<Record<TokenUnit, number>>;

/** The fields of a model's input that token pricing reads. */
interface TokenPricedInput {
  prompt: string;
  n: number;
  image_urls?: readonly string[];
}

const TOKENS_PER_PRICE = 1_000_000n;
/** An input image's size is not known before it is fetched, so it counts as the largest that is not scaled down. */
const LARGEST_INPUT: Size = { width: 2048, height: 2048 };
const IMAGE_TOKENS = { base: 85, perTile: 170, tileSidePixels: 512 } as const;

/**
 * Reserving and settling of a model priced by tokens, from the output tokens that one image takes at most and usually.
 *
 * The reservation of n images is n times that of one, input included. Settlement goes by the usage reported; where an
 * upstream reports none, each image it made is settled at what one usually takes.
 */
export function tokenPricing<Input extends TokenPricedInput>(outputTokens: {
  most(input: Input): number;
  usual(input: Input): number;
}) {
  const priceOfOne = (input: Input, tokens: number, rates: TokenRates) =>
    priceTokens({ ...estimateInput(input), image_output: tokens }, rates);
  return {
    reserve: (input: Input, rates: TokenRates): Nano =>
      BigInt(input.n) * priceOfOne(input, outputTokens.most(input), rates),
    settle: (input: Input, usage: Usage, rates: TokenRates): Nano =>
      usage.outputTokens
        ? priceTokens(countReported(input, usage), rates)
        : BigInt(imagesMade(input, usage)) * priceOfOne(input, outputTokens.usual(input), rates),
  };
}

/** Images to pay for: those the upstream made, never more than were asked for; all of them if nobody counted. */
export function imagesMade(input: { n: number }, usage: Usage): number {
  return Math.min(usage.images ?? input.n, input.n);
}

/** Estimate of an input image: a base, and so much for each started tile after fitting it into 2048x2048. */
export function imageTokens({ width, height }: Size): number {
  const { base, perTile, tileSidePixels } = IMAGE_TOKENS;
  const longest = Math.max(width, height);
  const fitted = Math.min(longest, LARGEST_INPUT.width);
  // One division of whole numbers, so that a side scaled to exactly four tiles does not start a fifth.
  const tiles = (side: number) => Math.ceil((side * fitted) / (longest * tileSidePixels));
  return base + perTile * tiles(width) * tiles(height);
}

/** Rounded once, after adding up, so that no split of the same tokens costs more than the whole. */
function priceTokens(counts: TokenCounts, rates: TokenRates): Nano {
  const units = Object.keys(counts) as TokenUnit[];
  const total = units.reduce((sum, unit) => sum + BigInt(counts[unit] ?? 0) * rates[unit], 0n);
  return proRata(1, total, TOKENS_PER_PRICE);
}

function estimateInput(input: TokenPricedInput) {
  return {
    text_input: textTokens(input.prompt),
    image_input: (input.image_urls?.length ?? 0) * imageTokens(LARGEST_INPUT),
  };
}

/** Cached tokens are counted inside the input tokens, so they are taken out of them. */
function countReported(input: TokenPricedInput, usage: Usage): TokenCounts {
  const { text, image } = splitInput(input, usage);
  const cachedText = Math.min(usage.cachedTextTokens ?? 0, text);
  const cachedImage = Math.min(usage.cachedImageTokens ?? 0, image);
  return {
    text_input: text - cachedText,
    cached_text_input: cachedText,
    image_input: image - cachedImage,
    cached_image_input: cachedImage,
    image_output: usage.outputTokens ?? 0,
  };
}

/** A bare total is text up to the estimate of the prompts, and images beyond it if there were any. */
function splitInput(input: TokenPricedInput, usage: Usage): { text: number; image: number } {
  const total = usage.inputTokens ?? 0;
  const { inputTextTokens, inputImageTokens } = usage;
  if (inputTextTokens !== undefined) {
    return { text: inputTextTokens, image: inputImageTokens ?? Math.max(0, total - inputTextTokens) };
  }
  if (inputImageTokens !== undefined) return { text: Math.max(0, total - inputImageTokens), image: inputImageTokens };
  if (!input.image_urls?.length) return { text: total, image: 0 };
  const text = Math.min(total, input.n * textTokens(input.prompt));
  return { text, image: total - text };
}
