import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ffmpegProgram } from '@mediagate/testkit/servers';

const run = promisify(execFile);

export interface VideoOptions {
  seconds: number;
  /** As `320x180`. */
  size?: string;
  extension?: 'mp4' | 'mov' | 'webm';
  sound?: boolean;
  args?: readonly string[];
}

export function makeVideo(options: VideoOptions): Promise<Buffer> {
  const { seconds, size = '320x180', extension = 'mp4', sound = true, args = [] } = options;
  const image = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=24:duration=${seconds}`];
  const tone = sound ? ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`] : [];
  const codec =
    extension === 'webm' ? ['-c:v', 'libvpx', '-c:a', 'libopus'] : ['-pix_fmt', 'yuv420p', '-preset', 'ultrafast'];
  return makeMedia(extension, [...image, ...tone, ...codec, ...args]);
}

export function makeSound(extension: string, seconds: number, args: readonly string[] = []): Promise<Buffer> {
  return makeMedia(extension, ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`, ...args]);
}

/** Has ffmpeg make a file of this suffix by these arguments. */
async function makeMedia(extension: string, args: readonly string[]): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mediagate-test-'));
  const file = path.join(folder, `media.${extension}`);
  try {
    await run(ffmpegProgram(), ['-nostdin', '-loglevel', 'error', ...args, file]);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}
