import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { firstFrameOfGif } from './image-end';
import { inspectImage, inspectImageHead } from './inspect-image';
import { bufferSource } from './sources/byte-source';

const canvas = (channels: 3 | 4) =>
  sharp({ create: { width: 30, height: 20, channels, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } });

/** A valid beginning of a PNG of any size; its pixels are few bytes however many they are. */
function pngClaiming(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    return Buffer.concat([size, body, crc32(body)]);
  };
  const pixels = deflateSync(Buffer.alloc(64));
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

function withExifBehindPixels(png: Buffer): Buffer {
  const start = png.indexOf('eXIf', 0, 'latin1') - 4;
  const end = start + 12 + png.readUInt32BE(start);
  const last = png.length - 12;
  return Buffer.concat([png.subarray(0, start), png.subarray(end, last), png.subarray(start, end), png.subarray(last)]);
}

function crc32(bytes: Buffer): Buffer {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  const result = Buffer.alloc(4);
  result.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
  return result;
}

function bitmap(width: number, height: number, bitsPerPixel: number, alphaMask = 0): Buffer {
  const bytes = Buffer.alloc(alphaMask === 0 ? 54 : 70);
  bytes.write('BM', 'latin1');
  bytes.writeUInt32LE(bytes.length - 14, 14);
  if (alphaMask !== 0) bytes.writeUInt32LE(alphaMask, 66);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(bitsPerPixel, 28);
  return bytes;
}

describe('inspectImage', () => {
  it.each(['png', 'jpeg', 'webp', 'gif'] as const)('reads the header of a %s', async (format) => {
    const facts = await inspectImage(await canvas(3).toFormat(format).toBuffer());
    expect(facts).toMatchObject({ format, width: 30, height: 20 });
  });

  it.each([
    ['jpeg', 5],
    ['jpeg', 6],
    ['jpeg', 8],
    ['png', 6],
    ['webp', 6],
    ['webp', 7],
  ] as const)('gives the sides of a %s as shown where its orientation is %s', async (format, orientation) => {
    const bytes = await canvas(3).withMetadata({ orientation }).toFormat(format).toBuffer();
    const shown = { format, width: 20, height: 30 };
    expect(await inspectImage(bytes)).toMatchObject(shown);
    const { bytes: _, ...remote } = bufferSource(bytes);
    expect(await inspectImageHead(remote)).toMatchObject(shown);
  });

  it.each(['jpeg', 'png', 'webp'] as const)(
    'keeps the sides of a %s that is upside down or mirrored',
    async (format) => {
      for (const orientation of [1, 2, 3, 4]) {
        const bytes = await canvas(3).withMetadata({ orientation }).toFormat(format).toBuffer();
        const stored = { width: 30, height: 20 };
        expect(await inspectImage(bytes)).toMatchObject(stored);
        expect(await inspectImageHead(bufferSource(bytes))).toMatchObject(stored);
      }
    },
  );

  it('gives the sides of a PNG as decoders show it where its orientation stands behind the pixels: as stored', async () => {
    const turned = await canvas(3).withMetadata({ orientation: 6 }).png().toBuffer();
    const bytes = withExifBehindPixels(turned);
    expect(bytes.length).toBe(turned.length);
    const { info } = await sharp(bytes).autoOrient().toBuffer({ resolveWithObject: true });
    const shown = { width: info.width, height: info.height };
    expect(shown).toEqual({ width: 30, height: 20 });
    expect(await inspectImage(bytes)).toMatchObject(shown);
    expect(await inspectImageHead(bufferSource(bytes))).toMatchObject(shown);
  });

  it('tells whether there is an alpha channel', async () => {
    await expect(inspectImage(await canvas(4).png().toBuffer())).resolves.toMatchObject({ hasAlpha: true });
    await expect(inspectImage(await canvas(3).png().toBuffer())).resolves.toMatchObject({ hasAlpha: false });
  });

  it('measures one image of an animation', async () => {
    const frames = sharp(Buffer.alloc(30 * 40 * 3, 1), { raw: { width: 30, height: 40, channels: 3, pageHeight: 20 } });
    const other = await frames.gif({ loop: 0, delay: [10, 10], keepDuplicateFrames: true }).toBuffer();
    await expect(inspectImage(other)).resolves.toMatchObject({ width: 30, height: 20 });
  });

  it('costs no more than one frame, however many a GIF or a WebP says it has', async () => {
    const gif = await canvas(3).gif().toBuffer();
    // Frames that no parser would take: nothing behind the first is looked at.
    const many = Buffer.concat([gif.subarray(0, -1), Buffer.alloc(1_000_000, ',')]);
    await expect(inspectImage(many)).resolves.toMatchObject({ format: 'gif', width: 30, height: 20 });
    expect((await firstFrameOfGif(many)).length).toBe(gif.length - 1);

    const webp = Buffer.concat([
      Buffer.from('RIFF\xff\xff\x0f\0WEBPVP8X\x0a\0\0\0\x02', 'latin1'),
      Buffer.alloc(1_048_560),
    ]);
    await expect(inspectImage(webp)).resolves.toMatchObject({ format: 'webp', width: 1, height: 1 });
  });

  it('reads a BMP, whichever way its rows run', async () => {
    const facts = { format: 'bmp', width: 30, height: 20, hasAlpha: false };
    await expect(inspectImage(bitmap(30, 20, 24))).resolves.toEqual(facts);
    await expect(inspectImage(bitmap(30, -20, 32))).resolves.toEqual(facts);
    const masked = bitmap(30, 20, 32, 0xff000000);
    await expect(inspectImage(masked)).resolves.toEqual({ ...facts, hasAlpha: true });
  });

  it('accepts 64 megapixels and names the size of more', async () => {
    await expect(inspectImage(pngClaiming(8_000, 8_000))).resolves.toMatchObject({ width: 8_000 });
    for (const bomb of [pngClaiming(8_001, 8_000), pngClaiming(50_000, 50_000), bitmap(100_000, 100_000, 24)]) {
      await expect(inspectImage(bomb)).rejects.toMatchObject({
        name: 'ImageError',
        message: expect.stringMatching(/^The image has \d+x\d+ pixels; at most 64 megapixels are accepted\.$/),
      });
    }
  });

  it('decodes nothing of a bomb', async () => {
    const before = process.memoryUsage().rss;
    await inspectImage(pngClaiming(50_000, 50_000)).catch(() => undefined);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it.each([
    ['no image', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['a PNG without a header', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['a JPEG of noise', Buffer.from('\xff\xd8\xffnoise', 'latin1')],
    ['a GIF without a frame', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1')],
    ['a short BMP', bitmap(30, 20, 24).subarray(0, 26)],
    ['a BMP without width', bitmap(0, 20, 24)],
    ['a BMP of negative width', bitmap(-30, 20, 24)],
    ['nothing', Buffer.alloc(0)],
  ])('refuses %s', async (_case, bytes) => {
    await expect(inspectImage(bytes)).rejects.toMatchObject({ name: 'ImageError' });
  });
});

describe('inspectImageHead', () => {
  /** Inspects an image's head, and notes how far it was read. */
  async function inspect(bytes: Buffer, totalBytes = bytes.length) {
    let furthest = 0;
    const read = async (start: number, end: number) => {
      furthest = Math.max(furthest, end);
      return bytes.subarray(start, end);
    };
    return { facts: await inspectImageHead({ totalBytes, read }), furthest };
  }

  const noise = (channels: 3 | 4) =>
    sharp(randomBytes(600 * 500 * channels), { raw: { width: 600, height: 500, channels } });

  it.each(['png', 'jpeg', 'webp', 'gif', 'bmp'] as const)(
    'reads no more of a %s than its beginning',
    async (format) => {
      const image = format === 'bmp' ? bitmap(600, 500, 24) : await noise(3).toFormat(format, { effort: 1 }).toBuffer();
      const { facts, furthest } = await inspect(image.subarray(0, 65_536), 20_000_000);
      expect(facts).toEqual({ format, width: 600, height: 500, hasAlpha: false });
      expect(furthest).toBe(65_536);
    },
  );

  it.each([
    ['lossy', {}, 3, false],
    ['lossy', {}, 4, true],
    ['lossless', { lossless: true }, 3, false],
    ['lossless', { lossless: true }, 4, true],
  ] as const)('knows of a %s WebP %j with %i channels that alpha is %s', async (_kind, options, channels, hasAlpha) => {
    const image = await noise(channels).webp(options).toBuffer();
    expect((await inspect(image)).facts).toEqual({ ...(await inspectImage(image)), hasAlpha });
  });

  it('finds a header that stands behind a large profile', async () => {
    const image = await noise(3).jpeg().toBuffer();
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0xff, 0xff]), Buffer.alloc(0xfffd)]);
    const padded = Buffer.concat([image.subarray(0, 2), comment, comment, image.subarray(2)]);
    const { facts, furthest } = await inspect(padded);
    expect(facts).toMatchObject({ format: 'jpeg', width: 600, height: 500 });
    expect(furthest).toBe(4 * 65_536);
  });

  it('gives up after 1 MB of no header', async () => {
    const endless = Buffer.alloc(3 * 1024 * 1024);
    endless.write('\xff\xd8\xff', 'latin1');
    let read = 0;
    const source = bufferSource(endless);
    const counting = {
      totalBytes: 20_000_000,
      read: (start: number, end: number) => {
        read = Math.max(read, end);
        return source.read(start, end);
      },
    };
    await expect(inspectImageHead(counting)).rejects.toMatchObject({ name: 'ImageError' });
    expect(read).toBe(1024 * 1024);
  });

  it.each([
    ['a short one', 'RIFF\x10\0\0\0WEBPVP8X\0\0'],
    ['one of unknown kind', `RIFF\x30\0\0\0WEBPVP8Z${'\0'.repeat(40)}`],
  ])('refuses a WebP that is %s', async (_case, text) => {
    const source = bufferSource(Buffer.from(text, 'latin1'));
    await expect(inspectImageHead(source)).rejects.toMatchObject({ name: 'ImageError' });
  });
});
