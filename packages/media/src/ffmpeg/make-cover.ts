import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { inspectImage } from '../inspect-image';
import type { Ffmpeg, RunOptions } from './ffmpeg';
import { inputArguments } from './input-format';

export interface Cover {
  bytes: Buffer;
  contentType: string;
  width: number;
  height: number;
}

const MAX_SIDE = 1280;
/** Never larger than the video, and of even sides, which a JPEG's colours want. */
const SCALE = `scale=w='if(gte(iw,ih),min(iw,${MAX_SIDE}),-2)':h='if(gte(iw,ih),-2,min(ih,${MAX_SIDE}))'`;

/**
 * The first image of a video as a JPEG whose longer side has at most 1280 pixels, made beside the video. Throws
 * FfmpegError, or ImageError for what it made; the signal's reason.
 */
export async function makeCover(
  ffmpeg: Ffmpeg,
  video: { path: string; extension: string },
  options: Pick<RunOptions, 'owner' | 'signal'>,
): Promise<Cover> {
  const file = path.join(path.dirname(video.path), 'cover.jpg');
  const image = [
    '-threads',
    '1',
    '-map',
    '0:v:0',
    '-frames:v',
    '1',
    '-vf',
    `${SCALE},format=yuvj420p`,
    '-q:v',
    '3',
    '-f',
    'mjpeg',
  ];
  // More threads would decode the images behind the first.
  await ffmpeg.run(['-threads', '1', ...inputArguments(video), ...image, file], options);
  const bytes = await readFile(file);
  const { width, height } = await inspectImage(bytes);
  return { bytes, contentType: 'image/jpeg', width, height };
}
