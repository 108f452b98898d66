import { canvasOfArea } from '../media/canvas';
import type { Canvas } from '../media/drawing';

export const resolutions = ['480p', '720p', '1080p'] as const;
export const ratios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'] as const;
export type ArkResolution = (typeof resolutions)[number];
export type ArkRatio = (typeof ratios)[number];

/** In pixels, in the order of `ratios`. */
const documented: Record<ArkResolution, readonly Canvas[]> = {
  '480p': rows('864x496 752x560 640x640 560x752 496x864 992x432'),
  '720p': rows('1280x720 1112x834 960x960 834x1112 720x1280 1470x630'),
  '1080p': rows('1920x1080 1664x1248 1440x1440 1248x1664 1080x1920 2206x946'),
};

export function canvasOf(resolution: ArkResolution, ratio: ArkRatio): Canvas {
  const canvas = documented[resolution][ratios.indexOf(ratio)];
  if (!canvas) throw new Error(`no size of ${resolution} at ${ratio}`);
  return canvas;
}

/** The area of the resolution in the shape of an image. */
export function canvasInShape(resolution: ArkResolution, { width, height }: Canvas): Canvas {
  const { width: wide, height: high } = canvasOf(resolution, '16:9');
  return canvasOfArea(wide * high, width / height);
}

function rows(list: string): Canvas[] {
  return list.split(' ').map((size) => {
    const [width = 0, height = 0] = size.split('x').map(Number);
    return { width, height };
  });
}
