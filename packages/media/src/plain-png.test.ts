import { crc32 } from 'node:zlib';
import sharp, { type PngOptions } from 'sharp';
import { readPlainPng } from './plain-png';

const canvas = (channels: 3 | 4, options: PngOptions = {}) =>
  sharp({ create: { width: 30, height: 20, channels, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } }).png(options);

/** PNGs of several kinds: plain, with alpha, interlaced, gray, of 16 bits, with a palette, with metadata. */
function pngs(): Promise<Buffer[]> {
  return Promise.all(
    [
      canvas(3),
      canvas(4),
      canvas(3, { progressive: true }),
      canvas(4).toColourspace('b-w'),
      canvas(3).toColourspace('rgb16'),
      canvas(4, { palette: true }),
      canvas(3).withMetadata({ density: 72 }),
      canvas(3).withExif({ IFD0: { Copyright: 'nobody' } }),
    ].map((image) => image.toBuffer()),
  );
}

/** As the image library reads it; undefined: it refuses. */
async function judgedByLibrary(bytes: Buffer) {
  const image = sharp(bytes, { limitInputPixels: false, pages: 1, failOn: 'warning' });
  const metadata = await image.metadata().catch(() => undefined);
  return (
    metadata && { format: metadata.format, width: metadata.width, height: metadata.height, hasAlpha: metadata.hasAlpha }
  );
}

/** The same numbers in every run. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

it('reads plain images by itself, with and without alpha', async () => {
  const [opaque, transparent, interlaced] = (await pngs()) as [Buffer, Buffer, Buffer];
  expect(readPlainPng(opaque)).toEqual({ format: 'png', width: 30, height: 20, hasAlpha: false });
  expect(readPlainPng(transparent)).toEqual({ format: 'png', width: 30, height: 20, hasAlpha: true });
  expect(readPlainPng(interlaced)).toMatchObject({ width: 30, height: 20 });
});

it('takes no image that the library refuses, and for nothing else than it does', async () => {
  const next = sequence(7);
  let taken = 0;
  for (const png of await pngs()) {
    for (let round = 0; round < 150; round += 1) {
      const changed = Buffer.from(png);
      const isSound = round === 0;
      if (!isSound) changed[8 + next(Math.min(80, png.length - 8))] = next(256);
      const bytes = round % 5 === 4 ? changed.subarray(0, next(png.length)) : changed;
      const facts = readPlainPng(bytes);
      if (facts === undefined) continue;
      taken += 1;
      expect(facts).toEqual(await judgedByLibrary(bytes));
    }
  }
  expect(taken).toBeGreaterThan(100);
});

it('leaves to the image library what is broken, and what has a palette, a transparent colour or a profile', async () => {
  const [opaque] = (await pngs()) as [Buffer];
  const broken = Buffer.from(opaque);
  broken[19] = 31;
  expect(readPlainPng(broken)).toBeUndefined();
  expect(readPlainPng(opaque.subarray(0, 40))).toBeUndefined();
  expect(readPlainPng(await canvas(4, { palette: true }).toBuffer())).toBeUndefined();
  expect(readPlainPng(await canvas(3).withIccProfile('p3').toBuffer())).toBeUndefined();
});

/** With the checksum that it ought to have. */
function chunk(type: string, data: readonly number[]): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(data)]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

const SIZE = [0, 0, 0, 30, 0, 0, 0, 20];
const HEADER = chunk('IHDR', [...SIZE, 8, 2, 0, 0, 0]);
const GAMMA = [0, 0, 177, 143];
const png = (...chunks: Buffer[]) =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks, chunk('IDAT', [1]), chunk('IEND', [])]);

it('knows chunks that say nothing of the size', () => {
  const density = chunk('pHYs', [0, 0, 14, 195, 0, 0, 14, 195, 1]);
  const bytes = png(HEADER, chunk('gAMA', GAMMA), chunk('sRGB', [3]), density, chunk('caBX', [1, 2]));
  expect(readPlainPng(bytes)).toEqual({ format: 'png', width: 30, height: 20, hasAlpha: false });
});

it.each<[what: string, ...chunks: Buffer[]]>([
  ['no header first', chunk('gAMA', GAMMA), HEADER],
  ['a header that is too short', chunk('IHDR', [...SIZE, 8, 2, 0, 0])],
  ['a second header', HEADER, HEADER],
  ['no width', chunk('IHDR', [0, 0, 0, 0, 0, 0, 0, 20, 8, 2, 0, 0, 0])],
  ['no height', chunk('IHDR', [0, 0, 0, 30, 0, 0, 0, 0, 8, 2, 0, 0, 0])],
  ['a side that is longer than usual', chunk('IHDR', [0, 1, 0, 0, 0, 0, 0, 20, 8, 2, 0, 0, 0])],
  ['a side beyond all integers', chunk('IHDR', [255, 255, 255, 255, 0, 0, 0, 20, 8, 2, 0, 0, 0])],
  ['colours of a depth that they cannot have', chunk('IHDR', [...SIZE, 4, 2, 0, 0, 0])],
  ['a palette', chunk('IHDR', [...SIZE, 8, 3, 0, 0, 0])],
  ['another compression', chunk('IHDR', [...SIZE, 8, 2, 1, 0, 0])],
  ['another filter', chunk('IHDR', [...SIZE, 8, 2, 0, 1, 0])],
  ['another interlacing', chunk('IHDR', [...SIZE, 8, 2, 0, 0, 2])],
  ['a gamma of 0', HEADER, chunk('gAMA', [0, 0, 0, 0])],
  ['a gamma that is too short', HEADER, chunk('gAMA', [1, 2, 3])],
  ['an unknown intent', HEADER, chunk('sRGB', [4])],
  ['an unknown unit', HEADER, chunk('pHYs', [0, 0, 0, 1, 0, 0, 0, 1, 2])],
  ['an origin that is empty', HEADER, chunk('caBX', [])],
  ['something twice', HEADER, chunk('sRGB', [0]), chunk('sRGB', [0])],
  ['frames', HEADER, chunk('acTL', [0, 0, 0, 1, 0, 0, 0, 0])],
  ['a transparent colour', HEADER, chunk('tRNS', [0, 0, 0, 0, 0, 0])],
])('leaves to the image library what has %s, each chunk with its checksum', (_, ...chunks) => {
  expect(readPlainPng(png(...chunks))).toBeUndefined();
});
