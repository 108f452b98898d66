import type { Canvas } from '../media/drawing';
import { PAN_FACTOR } from './buttons';
import { drawingOf, lookOf, tileCanvas } from './drawings';
import { type Extended, type Image, redrawn, sizeOf } from './image';
import type { Direction } from './press';
import { drawnWords, type ReadPrompt } from './prompt';

/** The words and the seed with which an image is worked on. */
export interface Drawn {
  prompt: ReadPrompt;
  seed: number;
  /** Whether these words are others than those that it was drawn with. */
  isReworded: boolean;
}

/** How much of the new drawing is seen in a subtle variation. */
const SUBTLE_SHARE = 0.25;

/** A strong variation is a new drawing; in a subtle one the image is seen through it. */
export function varied(image: Image, strength: 'strong' | 'subtle', drawn: Drawn): Image {
  if (strength === 'strong' && image.kind !== 'photo') return drawnAnew(image, drawn);
  const over = drawingOf(drawn.prompt, sizeOf(image), drawn.seed);
  return { kind: 'blended', of: image, with: over, share: SUBTLE_SHARE };
}

export function drawnAnew(image: Image, { prompt, seed, isReworded }: Drawn): Image {
  return redrawn(image, { seed, ...(isReworded && { words: drawnWords(prompt), look: lookOf(prompt) }) });
}

/** The image in the middle of a canvas, whose smaller side shows that many times as much. */
export function zoomed(
  image: Image,
  { ratio, canvas = sizeOf(image) }: { ratio: number; canvas?: Canvas | undefined },
  { prompt, seed }: Drawn,
): Extended {
  const { width, height } = sizeOf(image);
  const scale = Math.min(canvas.width / width, canvas.height / height) / ratio;
  const inset = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const left = Math.floor((canvas.width - inset.width) / 2);
  const top = Math.floor((canvas.height - inset.height) / 2);
  const surroundings = drawingOf(prompt, canvas, seed);
  return { kind: 'extended', of: image, inset: { ...inset, left, top }, surroundings };
}

/** The image at the edge that the view moves away from. */
export function panned(image: Image, direction: Direction, { prompt, seed }: Drawn): Extended {
  const { width, height } = sizeOf(image);
  const isLevel = direction === 'left' || direction === 'right';
  const canvas = tileCanvas((width / height) * (isLevel ? PAN_FACTOR : 1 / PAN_FACTOR));
  const inset = {
    width: isLevel ? Math.round(canvas.width / PAN_FACTOR) : canvas.width,
    height: isLevel ? canvas.height : Math.round(canvas.height / PAN_FACTOR),
    left: 0,
    top: 0,
  };
  if (direction === 'left') inset.left = canvas.width - inset.width;
  if (direction === 'up') inset.top = canvas.height - inset.height;
  return { kind: 'extended', of: image, inset, surroundings: drawingOf(prompt, canvas, seed) };
}

/** A window for painting that is confirmed without a mask widens the image instead. */
const UNMASKED_ZOOM = 1.5;

/** The image with new paint where the mask (PNG of one channel and of its size) is white. */
export function repainted(image: Image, mask: Buffer | undefined, drawn: Drawn): Image {
  if (!mask) return zoomed(image, { ratio: UNMASKED_ZOOM }, drawn);
  return { kind: 'repainted', of: image, mask, paint: drawingOf(drawn.prompt, sizeOf(image), drawn.seed) };
}
