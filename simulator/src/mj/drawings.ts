import { canvasOfArea } from '../media/canvas';
import type { Canvas } from '../media/drawing';
import type { Drawing } from './image';
import type { ReadPrompt } from './prompt';

/** Pixels of one of the four images of a grid. */
const TILE_PIXELS = 512 * 512;

/** Sides of that ratio; a multiple of 16 pixels each. */
export function tileCanvas(ratio = 1): Canvas {
  return canvasOfArea(TILE_PIXELS, ratio);
}

/** The drawing of a prompt on a canvas. */
export function drawingOf(prompt: ReadPrompt, { width, height }: Canvas, seed: number): Drawing {
  return {
    kind: 'drawing',
    width,
    height,
    words: prompt.words,
    seed,
  };
}

/** The four images of a grid, whose seeds follow each other. */
export function fourOf<Made>(seed: number, make: (seed: number) => Made): Made[] {
  return [0, 1, 2, 3].map((offset) => make(seed + offset));
}
