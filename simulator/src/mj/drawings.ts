import { canvasOfArea } from '../media/canvas';
import type { Canvas } from '../media/drawing';
import type { Image } from './image';
import type { ReadPrompt } from './prompt';

/** Pixels of one of the four images of a grid. */
const TILE_PIXELS = 512 * 512;

/** Sides of that ratio; a multiple of 16 pixels each. */
export function tileCanvas(ratio = 1): Canvas {
  return canvasOfArea(TILE_PIXELS, ratio);
}

/** The four images of a grid, whose seeds follow each other. */
export function gridOf({ words }: ReadPrompt, { width, height }: Canvas, seed: number): Image[] {
  return [0, 1, 2, 3].map((offset) => ({ words, seed: seed + offset, width, height, factor: 1 }));
}
