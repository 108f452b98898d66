import { createHash } from 'node:crypto';
import type { Canvas } from '../media/drawing';

/**
 * How a picture comes about. A task keeps this alone; the picture is made when it is fetched, and made the same again
 * whenever it is. What follows on an earlier picture refers to its recipe.
 */
export type Picture = Photo | Drawing | Enlarged | Extended | Repainted | Blended;

/** A caller's own. */
export interface Photo extends Canvas {
  kind: 'photo';
  /** On the shelf. */
  key: string;
}

export interface Drawing extends Canvas {
  kind: 'drawing';
  /** What it shows, in words. */
  words: string;
  seed: number;
  look: Look;
  /** Callers' pictures that it starts from, and how much of them is seen: 0 to 1. */
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
  of: Picture;
  factor: number;
  touch: 'plain' | 'subtle' | 'creative';
}

/** A picture in the middle or at an edge of a larger one. */
export interface Extended {
  kind: 'extended';
  of: Picture;
  /** Where it lies, in pixels of the surroundings. */
  inset: Canvas & { left: number; top: number };
  surroundings: Drawing;
}

export interface Repainted {
  kind: 'repainted';
  of: Picture;
  /** PNG of one channel, of the picture's size: white is painted over. */
  mask: Buffer;
  paint: Drawing;
}

export interface Blended {
  kind: 'blended';
  of: Picture;
  with: Drawing;
  /** How much is seen of what is laid over: 0 to 1. */
  share: number;
}

export function sizeOf(picture: Picture): Canvas {
  switch (picture.kind) {
    case 'photo':
    case 'drawing':
      return { width: picture.width, height: picture.height };
    case 'enlarged': {
      const { width, height } = sizeOf(picture.of);
      return { width: width * picture.factor, height: height * picture.factor };
    }
    case 'extended':
      return sizeOf(picture.surroundings);
    case 'repainted':
    case 'blended':
      return sizeOf(picture.of);
  }
}

/** The picture before it was made larger. */
export function unenlarged(picture: Picture): Picture {
  return picture.kind === 'enlarged' ? unenlarged(picture.of) : picture;
}

/** The same with another seed or other words: what was drawn last is drawn anew, what it was drawn around stays. */
export function redrawn(picture: Picture, change: Partial<Pick<Drawing, 'seed' | 'words' | 'look'>>): Picture {
  switch (picture.kind) {
    case 'photo':
      return picture;
    case 'drawing':
      return { ...picture, ...change };
    case 'enlarged':
      return { ...picture, of: redrawn(picture.of, change) };
    case 'extended':
      return { ...picture, surroundings: { ...picture.surroundings, ...change } };
    case 'repainted':
      return { ...picture, paint: { ...picture.paint, ...change } };
    case 'blended':
      return { ...picture, with: { ...picture.with, ...change } };
  }
}

/** A seed that follows from what is given: 0 to 4,294,967,295. */
export function seedOf(...parts: (string | number)[]): number {
  return createHash('sha256').update(parts.join('\u0000')).digest().readUInt32LE(0);
}
