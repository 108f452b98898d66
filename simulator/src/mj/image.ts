import { createHash } from 'node:crypto';
import type { Canvas } from '../media/drawing';

/**
 * How an image comes about. A task keeps this alone; the image is made when it is fetched, and made the same again
 * whenever it is. What follows on an earlier image refers to its recipe.
 */
export type Image = Photo | Drawing | Enlarged | Extended | Repainted | Blended;

/** A caller's own. */
export interface Photo extends Canvas {
  kind: 'photo';
  /** The photo's key on the shelf. */
  key: string;
}

export interface Drawing extends Canvas {
  kind: 'drawing';
  /** The words that it shows. */
  words: string;
  seed: number;
  look: Look;
  /** Callers' images that it starts from, and how much of them is seen: 0 to 1. */
  sources: readonly Photo[];
  sourceShare: number;
}

export interface Look {
  isNiji: boolean;
  /** Its edges fit each other, so that it can be laid out as a pattern. */
  isTile: boolean;
  hasCaption: boolean;
}

export interface Enlarged {
  kind: 'enlarged';
  of: Image;
  factor: number;
  touch: 'plain' | 'subtle' | 'creative';
}

/** An image in the middle or at an edge of a larger one. */
export interface Extended {
  kind: 'extended';
  of: Image;
  /** The image's place, in pixels of the surroundings. */
  inset: Canvas & { left: number; top: number };
  surroundings: Drawing;
}

export interface Repainted {
  kind: 'repainted';
  of: Image;
  /** PNG of one channel, of the image's size: white is painted over. */
  mask: Buffer;
  paint: Drawing;
}

export interface Blended {
  kind: 'blended';
  of: Image;
  with: Drawing;
  /** How much is seen of what is laid over: 0 to 1. */
  share: number;
}

export function sizeOf(image: Image): Canvas {
  switch (image.kind) {
    case 'photo':
    case 'drawing':
      return { width: image.width, height: image.height };
    case 'enlarged': {
      const { width, height } = sizeOf(image.of);
      return { width: width * image.factor, height: height * image.factor };
    }
    case 'extended':
      return sizeOf(image.surroundings);
    case 'repainted':
    case 'blended':
      return sizeOf(image.of);
  }
}

/** The image before it was made larger. */
export function unenlarged(image: Image): Image {
  return image.kind === 'enlarged' ? unenlarged(image.of) : image;
}

/** The same with another seed or other words: what was drawn last is drawn anew, what it was drawn around stays. */
export function redrawn(image: Image, change: Partial<Pick<Drawing, 'seed' | 'words' | 'look'>>): Image {
  switch (image.kind) {
    case 'photo':
      return image;
    case 'drawing':
      return { ...image, ...change };
    case 'enlarged':
      return { ...image, of: redrawn(image.of, change) };
    case 'extended':
      return { ...image, surroundings: { ...image.surroundings, ...change } };
    case 'repainted':
      return { ...image, paint: { ...image.paint, ...change } };
    case 'blended':
      return { ...image, with: { ...image.with, ...change } };
  }
}

/** A seed that follows from what is given: 0 to 4,294,967,295. */
export function seedOf(...parts: (string | number)[]): number {
  return createHash('sha256').update(parts.join('\u0000')).digest().readUInt32LE(0);
}
