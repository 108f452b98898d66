import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ffmpegProgram } from '@mediagate/testkit/servers';
import { flatPng } from './images';

export interface VideoReport {
  width: number;
  height: number;
  /** Length of the longest track. */
  seconds: number;
  frames: number;
  videoCodec: string;
  pixelFormat: string;
  audioCodec: string | undefined;
  /** Whether the index comes before the images, so that a player can begin at once. */
  indexFirst: boolean;
}

const run = promisify(execFile);

/** Decodes all of a video; throws at the first byte that does not decode. */
export async function inspectVideo(video: Buffer): Promise<VideoReport> {
  return inFolder(async (folder) => {
    const path = join(folder, 'video.mp4');
    await writeFile(path, video);
    const { stderr } = await run(ffmpegProgram(), ['-nostdin', '-xerror', '-i', path, '-f', 'null', '-']);
    const [, hours, minutes, seconds] = /Duration: (\d+):(\d+):([\d.]+)/.exec(stderr) ?? [];
    const [, videoCodec = '', pixelFormat = '', width, height] =
      /Video: (\w+)[^\n]*?, (\w+)[^\n]*?, (\d+)x(\d+)/.exec(stderr) ?? [];
    return {
      width: Number(width),
      height: Number(height),
      seconds: Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds),
      frames: Number([...stderr.matchAll(/frame=\s*(\d+)/g)].at(-1)?.[1]),
      videoCodec,
      pixelFormat,
      audioCodec: /Audio: (\w+)/.exec(stderr)?.[1],
      indexFirst: video.indexOf('moov') < video.indexOf('mdat'),
    };
  });
}

/** One frame of a video as PNG; `at` is in seconds. */
export async function frameOf(video: Buffer, at = 0): Promise<Buffer> {
  return inFolder(async (folder) => {
    const [path, frame] = [join(folder, 'video.mp4'), join(folder, 'frame.png')];
    await writeFile(path, video);
    await run(ffmpegProgram(), ['-nostdin', '-v', 'error', '-ss', String(at), '-i', path, '-frames:v', '1', frame]);
    return readFile(frame);
  });
}

/** A small video or sound of that length, to be pointed to in requests. */
export async function sampleMedia(kind: 'mp4' | 'mp3', seconds: number): Promise<Buffer> {
  return inFolder(async (folder) => {
    const path = join(folder, `sample.${kind}`);
    const source = kind === 'mp4' ? 'testsrc=size=320x240:rate=10' : 'sine=frequency=300';
    const options = kind === 'mp4' ? ['-pix_fmt', 'yuv420p', '-movflags', '+faststart'] : [];
    const input = ['-f', 'lavfi', '-i', source, '-t', String(seconds)];
    await run(ffmpegProgram(), ['-nostdin', '-v', 'error', ...input, ...options, path]);
    return readFile(path);
  });
}

/** An image as BMP. */
export async function bitmapOf(image: Buffer): Promise<Buffer> {
  return inFolder(async (folder) => {
    const [source, target] = [join(folder, 'image.png'), join(folder, 'image.bmp')];
    await writeFile(source, image);
    await run(ffmpegProgram(), ['-nostdin', '-v', 'error', '-i', source, target]);
    return readFile(target);
  });
}

export async function dataUrl(width: number, height: number, colour?: string): Promise<string> {
  return `data:image/png;base64,${(await flatPng(width, height, colour)).toString('base64')}`;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'video-test-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
