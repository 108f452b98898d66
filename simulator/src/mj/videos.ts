import { canvasOfShortSide } from '../media/canvas';
import type { Canvas } from '../media/drawing';
import type { VideoFileOrder } from '../media/video/video-order';

const FPS = 24;
const SECONDS = 5;
const EXTENSION_SECONDS = 4;
const MAX_SECONDS = 21;

/** Videos that a button makes at once. */
export const VIDEOS_OF_A_BUTTON = 4;

export interface VideoRequest {
  words: string;
  seed: number;
  count: number;
  /** Pixels of the shorter side. */
  lines: 480 | 720;
  /** The shape of the image that it begins with. */
  first: Canvas;
}

/** Videos of an image in its own shape, silent; their seeds follow each other. */
export function videoOrders({ words, seed, count, lines, first }: VideoRequest): VideoFileOrder[] {
  const video = {
    ...canvasOfShortSide(lines, first.width / first.height),
    fps: FPS,
    seconds: SECONDS,
    audio: false,
    prompt: words,
  };
  return inSeries(video, { seed, count });
}

/** A video with some seconds more; undefined when it is as long as the vendor makes them. */
export function longerVideos(
  video: VideoFileOrder,
  series: { seed: number; count: number },
): VideoFileOrder[] | undefined {
  const seconds = video.seconds + EXTENSION_SECONDS;
  return seconds > MAX_SECONDS ? undefined : inSeries({ ...video, seconds }, series);
}

function inSeries(
  video: Omit<VideoFileOrder, 'seed'>,
  { seed, count }: { seed: number; count: number },
): VideoFileOrder[] {
  return Array.from({ length: count }, (_, index) => ({ ...video, seed: seed + index }));
}
