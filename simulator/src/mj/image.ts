import { createHash } from 'node:crypto';
import type { Canvas } from '../media/drawing';

/**
 * How an image comes about. A task keeps this alone; the image is made when it is fetched, and made the same again
 * whenever it is. What follows on an earlier image refers to its recipe.
 */
export type Image = Drawing | Enlarged | Repainted;

/** A caller's own. */
export interface Photo extends Canvas {
  /** The photo's key on the shelf. */
  key: string;
}

export interface Drawing extends Canvas {
  kind: 'drawing';
  /** The words that it is drawn from. */
  words: string;
  seed: number;
}

export interface Enlarged {
  kind: 'enlarged';
  of: Image;
  factor: number;
}

export interface Repainted {
  kind: 'repainted';
  of: Image;
  /** PNG of one channel, of the image's size: white is painted over. */
  mask: Buffer;
  paint: Drawing;
}

export function sizeOf(image: Image): Canvas {
  switch (image.kind) {
    case 'drawing':
      return { width: image.width, height: image.height };
    case 'enlarged': {
      const { width, height } = sizeOf(image.of);
      return { width: width * image.factor, height: height * image.factor };
    }
    case 'repainted':
      return sizeOf(image.of);
  }
}

/** The image before it was made larger. */
export function unenlarged(image: Image): Image {
  return image.kind === 'enlarged' ? unenlarged(image.of) : image;
}

/** The image with what was drawn last drawn anew; what a mask kept stays. */
export function redrawn(image: Image, draw: (canvas: Canvas) => Drawing): Image {
  switch (image.kind) {
    case 'drawing':
      return draw(image);
    case 'enlarged':
      return { ...image, of: redrawn(image.of, draw) };
    case 'repainted':
      return { ...image, paint: draw(image.paint) };
  }
}

/** A seed that follows from what is given: 0 to 4,294,967,295. */
export function seedOf(...parts: (string | number)[]): number {
  return createHash('sha256').update(parts.join('\u0000')).digest().readUInt32LE(0);
}
