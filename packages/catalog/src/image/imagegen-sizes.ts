import { type Failure, fieldFailure } from '@mediagate/contracts';
import type { Size, SizeTable } from './sizes';
import { ratiosOf } from './sizes';

export const IMAGEGEN_RESOLUTIONS = ['1k', '2k', '4k'] as const;
export type ImagegenResolution = (typeof IMAGEGEN_RESOLUTIONS)[number];
export type ImagegenRatio = keyof typeof IMAGEGEN_SIZES;

/** Width and height by aspect ratio and resolution. */
export const IMAGEGEN_SIZES = {
  '1:1': { '1k': [1024, 1024], '2k': [2048, 2048], '4k': [2880, 2880] },
  '3:2': { '1k': [1536, 1024], '2k': [2048, 1360], '4k': [3520, 2336] },
  '2:3': { '1k': [1024, 1536], '2k': [1360, 2048], '4k': [2336, 3520] },
  '4:3': { '1k': [1024, 768], '2k': [2048, 1536], '4k': [3312, 2480] },
  '3:4': { '1k': [768, 1024], '2k': [1536, 2048], '4k': [2480, 3312] },
  '5:4': { '1k': [1280, 1024], '2k': [2560, 2048], '4k': [3216, 2576] },
  '4:5': { '1k': [1024, 1280], '2k': [2048, 2560], '4k': [2576, 3216] },
  '16:9': { '1k': [1536, 864], '2k': [2048, 1152], '4k': [3840, 2160] },
  '9:16': { '1k': [864, 1536], '2k': [1152, 2048], '4k': [2160, 3840] },
  '2:1': { '1k': [2048, 1024], '2k': [2688, 1344], '4k': [3840, 1920] },
  '1:2': { '1k': [1024, 2048], '2k': [1344, 2688], '4k': [1920, 3840] },
  '21:9': { '1k': [2016, 864], '2k': [2688, 1152], '4k': [3840, 1648] },
  '9:21': { '1k': [864, 2016], '2k': [1152, 2688], '4k': [1648, 3840] },
  '3:1': { '1k': [1536, 512], '2k': [3072, 1024], '4k': [3840, 1280] },
  '1:3': { '1k': [512, 1536], '2k': [1024, 3072], '4k': [1280, 3840] },
} as const satisfies SizeTable<string, ImagegenResolution>;

export const IMAGEGEN_RATIOS = ratiosOf(IMAGEGEN_SIZES);

/** Limits of exact sizes in pixels, as the models can be asked for them. */
const EXACT_SIZE_LIMITS = {
  stepPixels: 16,
  maxSidePixels: 3840,
  maxLongToShort: 3,
  minPixels: 655_360,
  maxPixels: 8_294_400,
} as const;

/** Why the models do not make an exact size; undefined: they do. */
export function exactSizeProblem({ width, height }: Size): Failure | undefined {
  const { stepPixels, maxSidePixels, maxLongToShort, minPixels, maxPixels } = EXACT_SIZE_LIMITS;
  const [short, long] = width < height ? [width, height] : [height, width];
  if (short === 0 || width % stepPixels !== 0 || height % stepPixels !== 0) {
    return fieldFailure('invalid_parameter', 'size', 'size_step', { limit: stepPixels });
  }
  if (long > maxSidePixels) return fieldFailure('invalid_parameter', 'size', 'size_side', { limit: maxSidePixels });
  if (long > short * maxLongToShort)
    return fieldFailure('invalid_parameter', 'size', 'size_ratio', { limit: maxLongToShort });
  const pixels = width * height;
  if (pixels < minPixels || pixels > maxPixels)
    return fieldFailure('invalid_parameter', 'size', 'size_pixels', { min: minPixels, max: maxPixels });
  return undefined;
}
