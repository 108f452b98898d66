import { canvasOfShortSide } from '../media/canvas';
import type { VideoFileOrder } from '../media/video/video-order';
import type { Photo } from './image';

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
  first: Pick<Photo, 'key' | 'width' | 'height'> | undefined;
  last: Pick<Photo, 'key'> | undefined;
}

/** Videos of an image in its own shape, silent; their seeds follow each other. */
export function videoOrders({ words, seed, count, lines, first, last }: VideoRequest): VideoFileOrder[] {
  const video = {
    ...canvasOfShortSide(lines, first ? first.width / first.height : 1),
    fps: FPS,
    seconds: SECONDS,
    audio: false,
    prompt: words,
    firstFrame: first?.key,
    lastFrame: last?.key,
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
