import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ffmpegProgram } from '@mediagate/local-servers';
import { flatPng } from './pictures';

export interface FilmReport {
  width: number;
  height: number;
  /** Of the longest track. */
  seconds: number;
  frames: number;
  videoCodec: string;
  pixelFormat: string;
  audioCodec: string | undefined;
  /** Whether the index comes before the pictures, so that a player can begin at once. */
  indexFirst: boolean;
}

const run = promisify(execFile);

/** Decodes all of a film; throws at the first byte that does not decode. */
export async function inspectFilm(film: Buffer): Promise<FilmReport> {
  return inFolder(async (folder) => {
    const path = join(folder, 'film.mp4');
    await writeFile(path, film);
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
      indexFirst: film.indexOf('moov') < film.indexOf('mdat'),
    };
  });
}

/** One frame of a film as PNG; `at` is in seconds. */
export async function frameOf(film: Buffer, at = 0): Promise<Buffer> {
  return inFolder(async (folder) => {
    const [path, frame] = [join(folder, 'film.mp4'), join(folder, 'frame.png')];
    await writeFile(path, film);
    await run(ffmpegProgram(), ['-nostdin', '-v', 'error', '-ss', String(at), '-i', path, '-frames:v', '1', frame]);
    return readFile(frame);
  });
}

/** A small film or sound of that length, to be pointed to in requests. */
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

/** A picture as BMP. */
export async function bitmapOf(picture: Buffer): Promise<Buffer> {
  return inFolder(async (folder) => {
    const [source, target] = [join(folder, 'picture.png'), join(folder, 'picture.bmp')];
    await writeFile(source, picture);
    await run(ffmpegProgram(), ['-nostdin', '-v', 'error', '-i', source, target]);
    return readFile(target);
  });
}

export async function dataUrl(width: number, height: number, colour?: string): Promise<string> {
  return `data:image/png;base64,${(await flatPng(width, height, colour)).toString('base64')}`;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'film-test-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
