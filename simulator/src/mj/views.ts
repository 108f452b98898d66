import { PAN_FACTOR } from './buttons';
import { drawingOf, tileCanvas } from './drawings';
import { type Image, redrawn, sizeOf } from './image';
import type { Direction } from './press';
import { drawnWords, type ReadPrompt } from './prompt';

/** The words and the seed with which an image is worked on. */
export interface Drawn {
  prompt: ReadPrompt;
  seed: number;
  /** Whether these words are others than those that it was drawn with. */
  isReworded: boolean;
}

/** A variation or a wider view is a new drawing, by default of the image's size. */
export function drawnOver(image: Image, { prompt, seed }: Drawn, canvas = sizeOf(image)): Image {
  return drawingOf(prompt, canvas, seed);
}

export function drawnAnew(image: Image, { prompt, seed, isReworded }: Drawn): Image {
  return redrawn(image, { seed, ...(isReworded && { words: drawnWords(prompt) }) });
}

/** A view that is wider or higher than the image. */
export function panned(image: Image, direction: Direction, drawn: Drawn): Image {
  const { width, height } = sizeOf(image);
  const isLevel = direction === 'left' || direction === 'right';
  return drawnOver(image, drawn, tileCanvas((width / height) * (isLevel ? PAN_FACTOR : 1 / PAN_FACTOR)));
}

/** The image with new paint where the mask (PNG of one channel and of its size) is white; without a mask a wider view. */
export function repainted(image: Image, mask: Buffer | undefined, drawn: Drawn): Image {
  const paint = drawingOf(drawn.prompt, sizeOf(image), drawn.seed);
  return mask === undefined ? paint : { kind: 'repainted', of: image, mask, paint };
}
