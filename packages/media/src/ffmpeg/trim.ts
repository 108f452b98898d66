import path from 'node:path';
import type { Ffmpeg, RunOptions } from './ffmpeg';
import { inputArguments } from './input-format';

export interface Trim {
  /** The length that is kept, from the start. */
  keepSeconds: number;
  /** Makes video anew instead of cutting between its packets, so that it ends to the frame. */
  exact: boolean;
}

/**
 * The encoder holds no images back to look ahead, and its threads share one image: at 3840x2160 it takes 210 MB, and
 * otherwise 760. The file is half as large again.
 */
const FEW_IMAGES = 'sliced-threads=1:rc-lookahead=0:sync-lookahead=0:mbtree=0:bframes=0';
/** Visually without loss, and fast: it is done once, for the few that cannot be cut as they are. */
const H264 = [
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-crf',
  '18',
  '-pix_fmt',
  'yuv420p',
  '-threads',
  '2',
  '-x264-params',
  FEW_IMAGES,
];

/**
 * Writes the beginning of a file beside it, its index in front so that a browser can begin at once; answers where. Throws
 * FfmpegError; the signal's reason.
 */
export async function trim(
  ffmpeg: Ffmpeg,
  file: { path: string; extension: string },
  { keepSeconds, exact, owner, signal }: Trim & Pick<RunOptions, 'owner' | 'signal'>,
): Promise<string> {
  // H.264 does not go into WebM, nor the sound of one into every player's MP4.
  const isWebm = file.extension === 'webm';
  const extension = exact && isWebm ? 'mp4' : file.extension;
  const sound = exact && isWebm ? 'aac' : 'copy';
  const output = path.join(path.dirname(file.path), `${exact ? 'made' : 'cut'}.${extension}`);
  const codecs = [...(exact ? H264 : ['-c:v', 'copy']), '-c:a', sound];
  const index = ['mp4', 'mov', 'm4a'].includes(extension) ? ['-movflags', '+faststart'] : [];
  const tracks = ['-map', '0:v:0?', '-map', '0:a:0?', '-map_metadata', '-1'];
  const args = [...inputArguments(file), '-t', String(keepSeconds), ...tracks, ...codecs, ...index, output];
  await ffmpeg.run(args, { owner, signal, encodesVideo: exact });
  return output;
}
