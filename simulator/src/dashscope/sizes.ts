import { canvasOfArea, ratioOf } from '../media/canvas';
import type { Canvas } from '../media/drawing';

export type Resolution = '480P' | '720P' | '1080P';

const documented: Record<Resolution, Record<string, Canvas>> = {
  '480P': rows('16:9 832x480, 9:16 480x832, 1:1 624x624'),
  '720P': rows('16:9 1280x720, 9:16 720x1280, 1:1 960x960, 4:3 1088x832, 3:4 832x1088'),
  '1080P': rows('16:9 1920x1080, 9:16 1080x1920, 1:1 1440x1440, 4:3 1632x1248, 3:4 1248x1632'),
};

/** `1280*720` and the like: what `size` may be, with a star, not an x. */
export const starSizes = (['720P', '1080P'] as const).flatMap((resolution) =>
  Object.values(documented[resolution]).map(starSize),
);

export function starSize({ width, height }: Canvas): string {
  return `${width}*${height}`;
}

export function canvasOfStarSize(size: string): Canvas {
  const [width = 0, height = 0] = size.split('*').map(Number);
  return { width, height };
}

/** The vendor's size for a named ratio, or the area of the resolution in the shape of an image. */
export function canvasFor(resolution: Resolution, shape: string | Canvas): Canvas {
  const sizes = documented[resolution];
  if (typeof shape === 'string' && sizes[shape]) return sizes[shape];
  const area = sizes['16:9'] ?? { width: 0, height: 0 };
  const ratio = typeof shape === 'string' ? (ratioOf(shape) ?? 1) : shape.width / shape.height;
  return canvasOfArea(area.width * area.height, ratio);
}

/** The number that usage calls SR. */
export function resolutionOf({ width, height }: Canvas): Resolution {
  const pixels = width * height;
  if (pixels < 600_000) return '480P';
  return pixels < 1_400_000 ? '720P' : '1080P';
}

function rows(list: string): Record<string, Canvas> {
  return Object.fromEntries(
    list.split(', ').map((row) => {
      const [ratio = '', width = 0, height = 0] = row.split(/[ x]/);
      return [ratio, { width: Number(width), height: Number(height) }];
    }),
  );
}
