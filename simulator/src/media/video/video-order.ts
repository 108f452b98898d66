import { createHash } from 'node:crypto';
import type { Canvas } from '../drawing';

/** A video as a vendor would deliver it: H.264 with yuv420p, and an AAC track when there is to be sound. */
export interface VideoFileOrder extends Canvas {
  fps: number;
  /** Whole seconds. */
  seconds: number;
  audio: boolean;
  /** Without fault directives. */
  prompt: string;
  seed: number;
}

/** The same order gives the same video, so one file serves them all. */
export function videoKey(order: VideoFileOrder): string {
  const { width, height, fps, seconds, audio, prompt, seed } = order;
  const parts = [width, height, fps, seconds, audio, prompt, seed];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** yuv420p halves the colour planes, so sides are even. */
export function even(pixels: number): number {
  return Math.max(2, Math.round(pixels / 2) * 2);
}
