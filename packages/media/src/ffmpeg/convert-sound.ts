import path from 'node:path';
import type { SoundFormat } from '@mediagate/contracts';
import type { Ffmpeg, RunOptions } from './ffmpeg';
import { inputArguments } from './input-format';

const ENCODERS: Readonly<Record<SoundFormat, readonly string[]>> = {
  // A file of ffmpeg's format `mp4` declares itself a video. The index goes in front, so that a player can begin at once.
  m4a: ['-c:a', 'aac', '-b:a', '192k', '-movflags', '+faststart', '-f', 'ipod'],
  mp3: ['-c:a', 'libmp3lame', '-b:a', '192k', '-f', 'mp3'],
  wav: ['-c:a', 'pcm_s16le', '-f', 'wav'],
};

/** Writes a sound in another format beside it; answers where. Throws FfmpegError; the signal's reason. */
export async function convertSound(
  ffmpeg: Ffmpeg,
  file: { path: string; extension: string },
  { format, ...options }: { format: SoundFormat } & Pick<RunOptions, 'owner' | 'signal'>,
): Promise<string> {
  const output = path.join(path.dirname(file.path), `converted.${format}`);
  const sound = ['-map', '0:a:0', '-map_metadata', '-1', '-vn', '-sn', '-dn'];
  await ffmpeg.run([...inputArguments(file), ...sound, ...ENCODERS[format], output], options);
  return output;
}
