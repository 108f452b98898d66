import { canvasOfArea } from '../media/canvas';
import type { Canvas } from '../media/drawing';
import type { Drawing, Look, Photo } from './image';
import { drawnWords, type ReadPrompt, wantsCaption } from './prompt';

/** Pixels of one of the four images of a grid. */
const TILE_PIXELS = 512 * 512;

/** Sides of that ratio; a multiple of 16 pixels each. */
export function tileCanvas(ratio = 1): Canvas {
  return canvasOfArea(TILE_PIXELS, ratio);
}

export function lookOf(prompt: ReadPrompt): Look {
  return { isNiji: prompt.version.family === 'niji', isTile: prompt.isTile, hasCaption: wantsCaption(prompt) };
}

/** The drawing of a prompt on a canvas. */
export function drawingOf(prompt: ReadPrompt, { width, height }: Canvas, seed: number): Drawing {
  return {
    kind: 'drawing',
    width,
    height,
    words: drawnWords(prompt),
    seed,
    look: lookOf(prompt),
    sources: [],
    sourceShare: 0,
  };
}

/** The four images of a grid, whose seeds follow each other. */
export function fourOf<Made>(seed: number, make: (seed: number) => Made): Made[] {
  return [0, 1, 2, 3].map((offset) => make(seed + offset));
}

/** Drawings that start from callers' images. */
export function drawnFrom(drawing: Drawing, sources: readonly Photo[], sourceShare: number): Drawing {
  return { ...drawing, sources, sourceShare };
}
