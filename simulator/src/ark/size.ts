import type { Canvas } from '../media/drawing';
import { invalidParameter } from './wire';

const MIN_SIDE_PIXELS = 1_024;
const MAX_SIDE_PIXELS = 4_096;
const MAX_PIXELS = 4_096 * 4_096;
const DEFAULT_SIZE = '2048x2048';

/** Documented sizes of each preset; portrait is the transpose. Some of them are longer than 4096 on one side. */
const presets: Record<string, Canvas[]> = {
  '1K': rows('1024x1024 1360x1024 1536x1024 1824x1024 2384x1024'),
  '2K': rows('2048x2048 2304x1728 2496x1664 2560x1440 3024x1296'),
  '4K': rows('4096x4096 4694x3520 4992x3328 5404x3040 6198x2656'),
};

/** `2K` or `WxH` as pixels; a preset takes the shape of the first input. Throws the vendor's refusal. */
export function resolveSize(size = DEFAULT_SIZE, input: Canvas | undefined, requestId: string): Canvas {
  const preset = presets[size.toUpperCase()];
  if (preset) return nearest(preset, input);
  const [, width, height] = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(size) ?? [];
  if (width === undefined || height === undefined) {
    throw invalidParameter('size', "size must be one of 'WIDTHxHEIGHT', '1k', '2k', or '4k'", requestId);
  }
  const canvas = { width: Number(width), height: Number(height) };
  if (isDocumented(canvas)) return canvas;
  if (canvas.width * canvas.height > MAX_PIXELS) {
    throw invalidParameter('size', `image size must be at most ${MAX_PIXELS} pixels`, requestId);
  }
  if ([canvas.width, canvas.height].some((side) => side < MIN_SIDE_PIXELS || side > MAX_SIDE_PIXELS)) {
    throw invalidParameter(
      'size',
      `each side must be between ${MIN_SIDE_PIXELS} and ${MAX_SIDE_PIXELS} pixels`,
      requestId,
    );
  }
  return canvas;
}

function isDocumented({ width, height }: Canvas): boolean {
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
