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
  audioCodec: string | undefined;
}

const run = promisify(execFile);

/** Decodes all of a video; throws at the first byte that does not decode. */
export async function inspectVideo(video: Buffer): Promise<VideoReport> {
  return inFolder(async (folder) => {
    const path = join(folder, 'video.mp4');
    await writeFile(path, video);
    const { stderr } = await run(ffmpegProgram(), ['-nostdin', '-xerror', '-i', path, '-f', 'null', '-']);
    const [, hours, minutes, seconds] = /Duration: (\d+):(\d+):([\d.]+)/.exec(stderr) ?? [];
    const [, width, height] = /Video: [^\n]*?, (\d+)x(\d+)/.exec(stderr) ?? [];
    return {
      width: Number(width),
      height: Number(height),
      seconds: Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds),
      audioCodec: /Audio: (\w+)/.exec(stderr)?.[1],
    };
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
