import type { Canvas } from '../media/drawing';
import { invalidArgument } from './wire';

const canvases = new Map<string, Canvas>([
  ['1:1', { width: 1_024, height: 1_024 }],
  ['2:3', { width: 832, height: 1_248 }],
  ['3:2', { width: 1_248, height: 832 }],
  ['3:4', { width: 864, height: 1_184 }],
  ['4:3', { width: 1_184, height: 864 }],
  ['4:5', { width: 896, height: 1_152 }],
  ['5:4', { width: 1_152, height: 896 }],
  ['9:16', { width: 768, height: 1_344 }],
  ['16:9', { width: 1_344, height: 768 }],
  ['21:9', { width: 1_536, height: 672 }],
]);

/** Ratios that only the third generation has. */
const banners = new Map<string, Canvas>([
  ['1:4', { width: 512, height: 2_048 }],
  ['4:1', { width: 2_048, height: 512 }],
  ['1:8', { width: 384, height: 3_072 }],
  ['8:1', { width: 3_072, height: 384 }],
]);

/** The pixels of a named ratio; undefined when none was asked for. Throws the vendor's refusal of any other. */
export function canvasOf(aspectRatio: string | undefined, withBanners: boolean): Canvas | undefined {
  if (aspectRatio === undefined) return undefined;
  const canvas = canvases.get(aspectRatio) ?? (withBanners ? banners.get(aspectRatio) : undefined);
  if (canvas) return canvas;
  const message = `Invalid value at 'generation_config.image_config.aspect_ratio': ${JSON.stringify(aspectRatio.slice(0, 40))}`;
  throw invalidArgument(message, 'generation_config.image_config.aspect_ratio');
}

/** Without a ratio the image takes the shape of the last input, and is square without one. */
export function nearestCanvas(input: Canvas | undefined): Canvas {
  const wanted = input ? Math.log(input.width / input.height) : 0;
  const distance = ({ width, height }: Canvas) => Math.abs(Math.log(width / height) - wanted);
  return [...canvases.values()].reduce((best, canvas) => (distance(canvas) < distance(best) ? canvas : best));
}
