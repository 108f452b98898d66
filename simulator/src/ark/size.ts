import type { Canvas } from '../media/drawing';
import { invalidParameter } from './wire';

const DEFAULT_SIZE = '2048x2048';

/** The sizes that a model takes. */
export interface SizeRules {
  /** Documented sizes of each preset; portrait is the transpose. Some of them are longer than the longest side. */
  presets: Record<string, Canvas[]>;
  sidePixels: readonly [number, number];
  pixels: readonly [number, number];
}

export const sizesOf40: SizeRules = {
  presets: {
    '1K': rows('1024x1024 1360x1024 1536x1024 1824x1024 2384x1024'),
    '2K': rows('2048x2048 2304x1728 2496x1664 2560x1440 3024x1296'),
    '4K': rows('4096x4096 4694x3520 4992x3328 5404x3040 6198x2656'),
  },
  sidePixels: [1_024, 4_096],
  pixels: [0, 4_096 * 4_096],
};

/** Its smallest image has 2560 x 1440 pixels, its largest 3072 x 3072 and a tenth. */
export const sizesOf50: SizeRules = {
  presets: {
    '2K': rows('2048x2048 2304x1728 2496x1664 2848x1600 3136x1344'),
    '3K': rows('3072x3072 3456x2592 3744x2496 4096x2304 4704x2016'),
  },
  sidePixels: [1, 16_384],
  pixels: [2_560 * 1_440, 10_404_496],
};

export const sizesOfPro: SizeRules = {
  presets: { '1K': rows('1024x1024'), '1.5K': rows('1536x1536'), '2K': rows('2048x2048') },
  sidePixels: [1, 16_384],
  pixels: [0, 4_624_220],
};

/** `2K` or `WxH` as pixels; a preset takes the shape of the first input. Throws the vendor's refusal. */
export function resolveSize(
  { presets, sidePixels, pixels }: SizeRules,
  { size = DEFAULT_SIZE, input, requestId }: { size: string | undefined; input: Canvas | undefined; requestId: string },
): Canvas {
  const preset = presets[size.toUpperCase()];
  if (preset) return nearest(preset, input);
  const refuse = (reason: string) => invalidParameter('size', reason, requestId);
  const [, width, height] = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(size) ?? [];
  if (width === undefined || height === undefined) {
    throw refuse(`size must be one of 'WIDTHxHEIGHT', '${Object.keys(presets).join("', '").toLowerCase()}'`);
  }
  const canvas = { width: Number(width), height: Number(height) };
  if (isDocumented(canvas, presets)) return canvas;
  if (!isWithin(canvas.width * canvas.height, pixels)) {
    throw refuse(`image size must be between ${pixels[0]} and ${pixels[1]} pixels`);
  }
  if (![canvas.width, canvas.height].every((side) => isWithin(side, sidePixels))) {
    throw refuse(`each side must be between ${sidePixels[0]} and ${sidePixels[1]} pixels`);
  }
  return canvas;
}

function isWithin(value: number, [from, to]: readonly [number, number]): boolean {
  return value >= from && value <= to;
}

function isDocumented({ width, height }: Canvas, presets: SizeRules['presets']): boolean {
  return Object.values(presets).some((preset) => preset.some((row) => row.width === width && row.height === height));
}

function nearest(preset: Canvas[], input: Canvas | undefined): Canvas {
  const wanted = input ? Math.log(input.width / input.height) : 0;
  const distance = ({ width, height }: Canvas) => Math.abs(Math.log(width / height) - wanted);
  return preset.reduce((best, canvas) => (distance(canvas) < distance(best) ? canvas : best));
}

function rows(list: string): Canvas[] {
  return list.split(' ').flatMap((row) => {
    const [width = 0, height = 0] = row.split('x').map(Number);
    return [
      { width, height },
      { width: height, height: width },
    ];
  });
}
