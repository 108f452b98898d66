import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { GREY_SIDE } from '../grey-square';
import type { Ffmpeg, RunOptions } from './ffmpeg';
import { inputArguments } from './input-format';

export type SampledKind = 'video' | 'audio';

const MAX_FRAMES = 8;
const FRAME_BYTES = GREY_SIDE * GREY_SIDE;

/** One frame of a sound shows so many seconds, 30 lines a second. */
const SOUND_SECONDS = 4;
const SOUND_LINES = SOUND_SECONDS * 30;
/**
 * The spectrum of a sound, from the lowest to the highest tone that a telephone carries. A loud sound differs from the same one played
 * quietly by a factor, which perceptual hashes do not see. The first frames are not full.
 */
const SPECTRUM = `aformat=channel_layouts=mono,showcqt=size=256x${SOUND_LINES}:rate=1:count=30:bar_h=0:axis_h=0:sono_h=${SOUND_LINES}:sono_g=7:basefreq=200:endfreq=3400,trim=start_frame=${SOUND_SECONDS - 1}`;

/** How ffmpeg makes a frame of each second. */
const FRAMES: Readonly<Record<SampledKind, string>> = { video: '[0:v:0]fps=1', audio: `[0:a:0]${SPECTRUM}` };

/**
 * One frame of each of the first seconds of a video, or of the spectrum of a sound: squares of grey like those that `createGreySquarer`
 * makes. A sound of less than three seconds has none. They are written beside the file. Throws FfmpegError; the signal's reason.
 */
export async function sampleFrames(
  ffmpeg: Ffmpeg,
  { kind, ...input }: { kind: SampledKind; path: string; extension: string },
  options: Pick<RunOptions, 'owner' | 'signal'>,
): Promise<Buffer[]> {
  const file = path.join(path.dirname(input.path), 'frames.grey');
  const graph = `${FRAMES[kind]},scale=${GREY_SIDE}:${GREY_SIDE}:flags=lanczos,format=gray[frames]`;
  const frames = ['-filter_complex', graph, '-map', '[frames]', '-frames:v', String(MAX_FRAMES), '-f', 'rawvideo'];
  await ffmpeg.run([...inputArguments(input), ...frames, file], options);
  const bytes = await readFile(file);
  const count = Math.floor(bytes.length / FRAME_BYTES);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * FRAME_BYTES, (index + 1) * FRAME_BYTES));
}
