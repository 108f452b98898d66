import { createHash } from 'node:crypto';
import { canvasOfArea } from '../media/canvas';
import type { Canvas } from '../media/drawing';
import type { ReadPrompt } from './prompt';

/** The recipe of an image. */
interface Recipe {
  words: string;
  seed: number;
}

/** A recipe and the sides of its drawing. A task keeps this alone; the image is made when it is fetched, and the same again whenever it is. */
export interface Image extends Recipe, Canvas {
  /** How many times larger it is shown. */
  factor: number;
  /** The drawing over it: `mask` is a PNG of one channel, of the drawing's size, and white is painted over. */
  painted?: Recipe & { mask: Buffer };
}

export function sizeOf({ width, height, factor }: Image): Canvas {
  return { width: width * factor, height: height * factor };
}

/** A seed that follows from what is given: 0 to 4,294,967,295. */
export function seedOf(...parts: (string | number)[]): number {
  return createHash('sha256').update(parts.join('\u0000')).digest().readUInt32LE(0);
}

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
