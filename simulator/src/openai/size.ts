import { createDice } from '../media/dice';
import type { Canvas } from '../media/drawing';
import { invalidRequest } from './wire';

const STEP_PIXELS = 16;
const MAX_EDGE_PIXELS = 3_840;
const MIN_PIXELS = 655_360;
const MAX_PIXELS = 8_294_400;
const MAX_RATIO = 3;

/** `WxH` as numbers, refused when outside the vendor's limits; `auto` becomes what the vendor would pick. */
export function resolveSize(size: string, auto: { prompt: string; firstImage: Canvas | undefined }): Canvas {
  if (size === 'auto') return pickSize(auto);
  const [, widthText, heightText] = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(size) ?? [];
  if (widthText === undefined || heightText === undefined) {
    throw badSize(size, "Expected 'auto' or a size such as '1024x1024'.");
  }
  const canvas = { width: Number(widthText), height: Number(heightText) };
  const reason = reasonAgainst(canvas);
  if (reason !== undefined) throw badSize(size, reason);
  return canvas;
}

function reasonAgainst({ width, height }: Canvas): string | undefined {
  const pixels = width * height;
  const long = Math.max(width, height);
  if (width % STEP_PIXELS !== 0 || height % STEP_PIXELS !== 0)
    return `Width and height must be divisible by ${STEP_PIXELS}.`;
  if (long > MAX_EDGE_PIXELS) return `The longest edge must be at most ${MAX_EDGE_PIXELS} pixels.`;
  if (long / Math.min(width, height) > MAX_RATIO) return 'The aspect ratio must be between 1:3 and 3:1.';
  if (pixels < MIN_PIXELS) return `Requested resolution is below the minimum of ${MIN_PIXELS} pixels.`;
  if (pixels > MAX_PIXELS) return `Requested resolution exceeds the maximum of ${MAX_PIXELS} pixels.`;
  return undefined;
}

function badSize(size: string, reason: string): Error {
  return invalidRequest('size', 'invalid_value', `Invalid size '${size.slice(0, 40)}'. ${reason}`);
}

const square = { width: 1_024, height: 1_024 };
const landscape = { width: 1_536, height: 1_024 };
const portrait = { width: 1_024, height: 1_536 };

/** The vendor does not say how it picks; here the first image decides, or else the prompt's hash. */
function pickSize({ prompt, firstImage }: { prompt: string; firstImage: Canvas | undefined }): Canvas {
  if (!firstImage) return createDice(prompt, 'size').between(0, 2) < 1 ? square : landscape;
  const ratio = firstImage.width / firstImage.height;
  if (ratio > 1.2) return landscape;
  return ratio < 1 / 1.2 ? portrait : square;
}
