import type { Canvas } from './drawing';
import { even } from './video/video-order';

/** `16:9` as 1.777…; undefined for a text that is no ratio. */
export function ratioOf(text: string): number | undefined {
  const [, width, height] = /^([1-9]\d?):([1-9]\d?)$/.exec(text) ?? [];
  return width === undefined || height === undefined ? undefined : Number(width) / Number(height);
}

/** Sides of that ratio and about that many pixels, each a multiple of `step`. */
export function canvasOfArea(pixels: number, ratio: number, step = 16): Canvas {
  const height = Math.sqrt(pixels / ratio);
  const stepped = (side: number) => Math.max(step, Math.round(side / step) * step);
  return { width: stepped(height * ratio), height: stepped(height) };
}

/** Sides of that ratio whose shorter one has that many pixels. */
export function canvasOfShortSide(pixels: number, ratio: number): Canvas {
  return ratio >= 1
    ? { width: even(pixels * ratio), height: even(pixels) }
    : { width: even(pixels), height: even(pixels / ratio) };
}
