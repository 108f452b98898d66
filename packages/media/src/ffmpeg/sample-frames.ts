import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { GREY_SIDE } from '../grey-square';
import type { Ffmpeg, RunOptions } from './ffmpeg';
import { inputArguments } from './input-format';

/** One of each of the first seconds. */
const MAX_FRAMES = 8;
const FRAME_BYTES = GREY_SIDE * GREY_SIDE;

/**
 * Some images of a video, each as a square of grey like those that `createGreySquarer` makes. They are written beside the video. Throws FfmpegError; the
 * signal's reason.
 */
export async function sampleFrames(
  ffmpeg: Ffmpeg,
  video: { path: string; extension: string },
  options: Pick<RunOptions, 'owner' | 'signal'>,
): Promise<Buffer[]> {
  const file = path.join(path.dirname(video.path), 'frames.grey');
  const filters = `fps=1,scale=${GREY_SIDE}:${GREY_SIDE}:flags=lanczos,format=gray`;
  const frames = ['-map', '0:v:0', '-frames:v', String(MAX_FRAMES), '-vf', filters, '-f', 'rawvideo'];
  await ffmpeg.run([...inputArguments(video), ...frames, file], options);
  const bytes = await readFile(file);
  const count = Math.floor(bytes.length / FRAME_BYTES);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * FRAME_BYTES, (index + 1) * FRAME_BYTES));
}
