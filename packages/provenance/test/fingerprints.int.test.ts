import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { bufferSource, createFfmpeg } from '@mediagate/media';
import { ffmpegProgram } from '@mediagate/testkit/servers';
import sharp, { type Sharp } from 'sharp';
import { createFingerprintTaker, maxDistanceOf, readProvenance } from '../src';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mediagate-fingerprints-'));
});
afterAll(() => rm(folder, { recursive: true }));

const take = createFingerprintTaker(createFfmpeg({ path: ffmpegProgram() }));
const caller = { owner: { accountId: 'a', id: 'k', isTest: false }, signal: new AbortController().signal };

/** A landscape of its own for each seed. */
function drawing(seed: number): Sharp {
  const at = (index: number) => (Math.sin(seed * 12.9898 + index * 78.233) * 43758.5453) % 1;
  const place = (index: number, most: number) => Math.abs(at(index)) * most;
  const shapes = Array.from({ length: 14 }, (_, n) => {
    const shade = Math.round(place(n, 255));
    const fill = `rgb(${shade},${Math.round(place(n + 50, 255))},${255 - shade})`;
    return `<ellipse cx="${place(n + 100, 640)}" cy="${place(n + 150, 480)}" rx="${20 + place(n + 200, 150)}" ry="${20 + place(n + 250, 110)}" fill="${fill}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><rect width="640" height="480" fill="rgb(90,120,${Math.round(place(1, 255))})"/>${shapes.join('')}</svg>`;
  return sharp(Buffer.from(svg));
}

const original = () => drawing(1).png().toBuffer();
const hashOf = async (bytes: Buffer) => (await take({ bytes, contentType: 'image/png' }, caller))[0];

function distance(a: bigint | undefined, b: bigint | undefined): number {
  if (a === undefined || b === undefined) throw new Error('there is no hash');
  return [...(a ^ b).toString(2)].filter((bit) => bit === '1').length;
}

describe('an image', () => {
  it.each<[what: string, most: number, make: (image: Sharp) => Sharp]>([
    ['encoded anew as a JPEG of low quality', 2, (image) => image.jpeg({ quality: 30 })],
    ['encoded anew as WebP', 2, (image) => image.webp({ quality: 50 })],
    ['of an eighth of the pixels', 4, (image) => image.resize(226, 170)],
    [
      'as a screenshot has it: another size, and darker',
      6,
      (image) => image.resize(900, 675).modulate({ brightness: 0.9 }).jpeg(),
    ],
    ['in grey', 6, (image) => image.greyscale()],
    ['blurred', 4, (image) => image.blur(3)],
    [
      'with a small mark painted over it',
      6,
      (image) =>
        image.composite([
          {
            input: Buffer.from('<svg width="80" height="40"><rect width="80" height="40" fill="white"/></svg>'),
            left: 20,
            top: 420,
          },
        ]),
    ],
    ['with a narrow edge cut off', 10, (image) => image.extract({ left: 6, top: 6, width: 628, height: 468 })],
  ])('%s differs in %i bits at most', async (_what, most, make) => {
    const bytes = await original();
    expect(distance(await hashOf(bytes), await hashOf(await make(sharp(bytes)).toBuffer()))).toBeLessThanOrEqual(most);
  });

  it.each<[what: string, make: (image: Sharp) => Sharp]>([
    ['mirrored', (image) => image.flop()],
    ['turned', (image) => image.rotate(90)],
    ['with a third cut off', (image) => image.extract({ left: 213, top: 0, width: 427, height: 480 })],
  ])('that is %s is another one', async (_what, make) => {
    const bytes = await original();
    expect(distance(await hashOf(bytes), await hashOf(await make(sharp(bytes)).toBuffer()))).toBeGreaterThan(10);
  });

  it('resembles no other one', async () => {
    const hashes = await Promise.all(
      Array.from({ length: 40 }, async (_, seed) =>
        hashOf(
          await drawing(seed + 1)
            .png()
            .toBuffer(),
        ),
      ),
    );
    const pairs = hashes.flatMap((a, index) => hashes.slice(index + 1).map((b) => distance(a, b)));
    expect(Math.min(...pairs)).toBeGreaterThan(10);
  });

  it('of one shade has no hash', async () => {
    const flat = sharp({ create: { width: 64, height: 64, channels: 3, background: '#336699' } });
    expect(await take({ bytes: await flat.png().toBuffer(), contentType: 'image/png' }, caller)).toEqual([]);
  });
});

it('a signed image that was changed has a manifest that is not valid, and one that was encoded anew has none; both show the same', async () => {
  const signed = await readFile(path.join(__dirname, 'files/signed.png'));
  const changed = Buffer.from(signed);
  // A letter of the chunk at the end, whose checksum nobody needs.
  changed[changed.length - 1] = 0;
  const anew = await sharp(signed).webp({ lossless: true }).toBuffer();
  const validity = async (bytes: Buffer, contentType: string) =>
    (await readProvenance(bufferSource(bytes), contentType)).map(({ standard, valid }) => [standard, valid]);
  expect(await validity(signed, 'image/png')).toEqual([['c2pa', true]]);
  expect(await validity(changed, 'image/png')).toEqual([['c2pa', false]]);
  expect(await validity(anew, 'image/webp')).toEqual([]);
  expect(await hashOf(signed)).toBeDefined();
  expect(await hashOf(changed)).toEqual(await hashOf(signed));
  expect(await hashOf(anew)).toEqual(await hashOf(signed));
});

const run = promisify(execFile);
const file = (name: string) => path.join(folder, name);
const ffmpeg = (...args: string[]) => run(ffmpegProgram(), ['-loglevel', 'error', '-y', ...args]);

async function hashesOf(name: string): Promise<bigint[]> {
  const { size: totalBytes } = await stat(file(name));
  return take({ bytes: { path: file(name), totalBytes }, contentType: SAMPLED[path.extname(name)] ?? '' }, caller);
}
const SAMPLED: Readonly<Record<string, string>> = { '.mp4': 'video/mp4', '.wav': 'audio/wav', '.mp3': 'audio/mpeg' };

/** The distance of the nearest frames, as a search takes it. */
async function nearest(name: string, to = 'made.mp4'): Promise<number> {
  const [ours, theirs] = [await hashesOf(to), await hashesOf(name)];
  return Math.min(...ours.flatMap((a) => theirs.map((b) => distance(a, b))));
}

describe('a sound', () => {
  /** Four notes a second, others for each seed. */
  const melody = (seed: number) => {
    const phase = `220*pow(2,mod(floor(97*abs(sin(floor(4*t)*${seed}.37+${seed}))),36)/12)*t`;
    return ['-f', 'lavfi', '-i', `aevalsrc='0.4*sin(2*PI*${phase})':d=7:s=44100`];
  };
  beforeAll(async () => {
    await ffmpeg(...melody(1), file('made.wav'));
    await ffmpeg(...melody(2), file('other.wav'));
    await ffmpeg('-i', file('made.wav'), '-af', 'volume=-12dB', '-b:a', '64k', '-t', '5', file('worse.mp3'));
    await ffmpeg('-i', file('made.wav'), '-t', '2', file('short.wav'));
    await ffmpeg('-f', 'lavfi', '-i', 'anullsrc', '-t', '6', file('silent.wav'));
  });

  it('is found quieter, without its end and of low quality, and resembles no other one', async () => {
    expect((await hashesOf('made.wav')).length).toBeGreaterThanOrEqual(3);
    expect(await nearest('worse.mp3', 'made.wav')).toBeLessThanOrEqual(maxDistanceOf('audio/mpeg'));
    expect(await nearest('other.wav', 'made.wav')).toBeGreaterThan(maxDistanceOf('audio/wav'));
  });

  it.each(['short.wav', 'silent.wav'])('that tells nothing has no hash: %s', async (name) => {
    expect(await hashesOf(name)).toEqual([]);
  });
});

describe('a video', () => {
  beforeAll(async () => {
    for (const seed of [1, 2, 3, 4])
      await drawing(seed)
        .png()
        .toFile(file(`scene-${seed}.png`));
    for (const seed of [5, 6, 7, 8])
      await drawing(seed)
        .png()
        .toFile(file(`other-${seed - 4}.png`));
    const coded = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'];
    await ffmpeg('-framerate', '1', '-i', file('scene-%d.png'), '-r', '24', ...coded, file('made.mp4'));
    await ffmpeg('-framerate', '1', '-i', file('other-%d.png'), '-r', '24', ...coded, file('other.mp4'));
    await ffmpeg('-i', file('made.mp4'), '-vf', 'scale=320:240', '-crf', '35', ...coded, file('smaller.mp4'));
    await ffmpeg('-ss', '1.5', '-i', file('made.mp4'), ...coded, file('later.mp4'));
  });

  it('has a hash for each second that shows something else', async () => {
    expect((await hashesOf('made.mp4')).length).toBeGreaterThanOrEqual(3);
  });

  it('is found smaller and of low quality, without its beginning, and by one of its images', async () => {
    expect(await nearest('smaller.mp4')).toBeLessThanOrEqual(4);
    expect(await nearest('later.mp4')).toBeLessThanOrEqual(4);
    const still = await hashOf(await drawing(2).jpeg().toBuffer());
    expect(Math.min(...(await hashesOf('made.mp4')).map((hash) => distance(hash, still)))).toBeLessThanOrEqual(10);
  });

  it('resembles no other one', async () => {
    expect(await nearest('other.mp4')).toBeGreaterThan(10);
  });
});
