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
