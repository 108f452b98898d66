import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { ffmpegProgram } from '@mediagate/testkit/servers';
import sharp, { type Sharp } from 'sharp';
import { signed, tampered } from './marked-files';

const run = promisify(execFile);
const ffmpeg = (...args: string[]) => run(ffmpegProgram(), ['-nostdin', '-loglevel', 'error', '-y', ...args]);
const H264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'];

/** A landscape of its own for each seed. */
export function drawing(seed: number): Sharp {
  let state = seed * 7919;
  const next = (most: number) => {
    state = (state * 16807) % 2147483647;
    return Math.round((state / 2147483647) * most);
  };
  // The first numbers of seeds that are close to one another are alike.
  next(1);
  const ellipses = Array.from({ length: 14 }, () => {
    const fill = `rgb(${next(255)},${next(255)},${next(255)})`;
    return `<ellipse cx="${next(640)}" cy="${next(480)}" rx="${20 + next(150)}" ry="${20 + next(110)}" fill="${fill}"/>`;
  });
  const ground = `<rect width="640" height="480" fill="rgb(90,120,${next(255)})"/>`;
  const size = 'width="640" height="480"';
  return sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${ground}${ellipses.join('')}</svg>`));
}

/** Makes a video of four drawings, from this one on, a second each. */
export async function makeVideo(path: string, first: number): Promise<void> {
  for (const scene of [0, 1, 2, 3])
    await drawing(first + scene)
      .png()
      .toFile(`${path}-${scene}.png`);
  await ffmpeg('-framerate', '1', '-i', `${path}-%d.png`, '-r', '24', ...H264, path);
}

/** Makes a sound of ten seconds, a melody of its own for each seed. */
export async function makeMelody(path: string, seed: number): Promise<void> {
  const phase = `220*pow(2,mod(floor(97*abs(sin(floor(4*t)*${seed}.37+${seed}))),36)/12)*t`;
  const wave = `0.4*sin(2*PI*${phase})+0.2*sin(4*PI*${phase})`;
  await ffmpeg('-f', 'lavfi', '-i', `aevalsrc='${wave}':d=10:s=44100`, path);
}

/** What ffmpeg does to a sound, by the words of the documents, and the kinds that it makes of it. */
export const SOUND_CHANGES: Readonly<Record<string, readonly [kind: string, ...args: string[]][]>> = {
  'encoded anew (MP3 of 64 kbit/s, AAC of 96); as a telephone carries it': [
    ['.mp3', '-b:a', '64k'],
    ['.m4a', '-b:a', '96k'],
    ['.wav', '-ar', '8000', '-c:a', 'pcm_mulaw'],
  ],
  'quieter; without its end': [
    ['.wav', '-af', 'volume=-12dB'],
    ['.wav', '-t', '5'],
  ],
  'without its first half second; a tenth faster': [
    ['.wav', '-ss', '0.5'],
    ['.wav', '-af', 'atempo=1.1'],
  ],
  'two seconds of it': [['.wav', '-t', '2']],
};

/** Makes a changed sound of another one. */
export async function changeSound(from: string, args: readonly string[], to: string): Promise<void> {
  await ffmpeg('-i', from, ...args, to);
}

type Change = (image: Sharp) => Sharp;

/** The documents have a row for each of these changes, by its words. */
export const IMAGE_CHANGES: Readonly<Record<string, readonly Change[]>> = {
  'encoded anew (JPEG of quality 30, WebP of quality 50)': [
    (image) => image.jpeg({ quality: 30 }),
    (image) => image.webp({ quality: 50 }),
  ],
  'an eighth of the pixels; blurred': [(image) => image.resize(226, 170).jpeg(), (image) => image.blur(3).jpeg()],
  'a screenshot: another size, darker, a JPEG': [
    (image) => image.resize(900, 675).modulate({ brightness: 0.9 }).jpeg(),
  ],
  'in grey': [(image) => image.greyscale().jpeg()],
  'a narrow edge cut off, 1% of each side': [
    (image) => image.extract({ left: 6, top: 6, width: 628, height: 468 }).jpeg(),
  ],
  'a small mark painted over it': [(image) => image.composite([{ input: PAINT, left: 20, top: 420 }]).jpeg()],
  'mirrored, turned, a third cut off': [
    (image) => image.flop().jpeg(),
    (image) => image.rotate(90).jpeg(),
    (image) => image.extract({ left: 213, top: 0, width: 427, height: 480 }).jpeg(),
  ],
};
const PAINT = Buffer.from('<svg width="80" height="40"><rect width="80" height="40" fill="white"/></svg>');

export interface Altered {
  /** The row of the documents. */
  row: string;
  name: string;
  /** The file that it was made of, as it was delivered. */
  of: string;
}

/** Another file of the kind, which states nothing. */
export const ANOTHER = 'another one';

interface Folder {
  path: string;
  altered: Altered[];
}

/** Writes into a folder an image, a video and a sound as they are delivered, and what was done to them. */
export async function alterFiles(path: string): Promise<Altered[]> {
  const folder: Folder = { path, altered: [] };
  await alterImage(folder);
  await alterVideo(folder);
  await alterSound(folder);
  return folder.altered;
}

async function alterImage(folder: Folder): Promise<void> {
  const image = await deliver(folder, 'image.jpg', await drawing(1).jpeg({ quality: 95 }).toBuffer());
  for (const [row, changes] of Object.entries(IMAGE_CHANGES)) {
    for (const change of changes) {
      const { data, info } = await change(sharp(image)).toBuffer({ resolveWithObject: true });
      await add(folder, { row, of: 'image.jpg', kind: info.format === 'webp' ? '.webp' : '.jpg' }, data);
    }
  }
  await add(folder, { row: ANOTHER, of: 'image.jpg' }, await drawing(2).jpeg().toBuffer());
}

async function alterVideo(folder: Folder): Promise<void> {
  const made = join(folder.path, '../drawn.mp4');
  const draw = async (first: number) => {
    await makeVideo(made, first);
    return readFile(made);
  };
  await deliver(folder, 'video.mp4', await draw(1));
  const worse = { row: 'smaller, of low quality; without its beginning', of: 'video.mp4' };
  await addByFfmpeg(folder, worse, '-vf', 'scale=320:240', '-crf', '35', ...H264);
  await addByFfmpeg(folder, worse, '-ss', '1.5', ...H264);
  const still = { row: 'one of its images, by itself', of: 'video.mp4', kind: '.jpg' };
  await addByFfmpeg(folder, still, '-ss', '1.2', '-frames:v', '1');
  await add(folder, { row: ANOTHER, of: 'video.mp4' }, await draw(5));
}

async function alterSound(folder: Folder): Promise<void> {
  for (const name of ['sound.wav', 'sound.mp3']) {
    const melody = join(folder.path, '..', name);
    await makeMelody(melody, 1);
    await deliver(folder, name, await readFile(melody));
  }
  for (const [row, changes] of Object.entries(SOUND_CHANGES)) {
    for (const [kind, ...args] of changes) await addByFfmpeg(folder, { row, of: 'sound.wav', kind }, ...args);
  }
  const copied = { row: 'an MP3, cut by a program that copies its tags', of: 'sound.mp3' };
  await addByFfmpeg(folder, copied, '-t', '5', '-c', 'copy');
  const other = join(folder.path, '../other.wav');
  await makeMelody(other, 2);
  await add(folder, { row: ANOTHER, of: 'sound.wav' }, await readFile(other));
}

interface Addition {
  row: string;
  of: string;
  /** Default: the delivered file's. */
  kind?: string;
}

async function add({ path, altered }: Folder, { row, of, kind = extname(of) }: Addition, bytes: Buffer): Promise<void> {
  const name = `${altered.length}${kind}`;
  await writeFile(join(path, name), bytes);
  altered.push({ row: `${of.replace(/\..*/, '')}: ${row}`, name, of });
}

async function addByFfmpeg(folder: Folder, addition: Addition, ...args: string[]): Promise<void> {
  const made = join(folder.path, `../made${addition.kind ?? extname(addition.of)}`);
  await ffmpeg('-i', join(folder.path, addition.of), ...args, made);
  await add(folder, addition, await readFile(made));
}

async function deliver(folder: Folder, of: string, original: Buffer): Promise<Buffer> {
  const bytes = await signed(original, extname(of));
  await writeFile(join(folder.path, of), bytes);
  await add(folder, { row: 'nothing', of }, bytes);
  await add(folder, { row: 'a byte near its end changed', of }, tampered(bytes, original));
  return bytes;
}
