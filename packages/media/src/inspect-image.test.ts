import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { inspectImage } from './inspect-image';

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

function bitmap(width: number, height: number, bitsPerPixel: number): Buffer {
  const bytes = Buffer.alloc(54);
  bytes.write('BM', 'latin1');
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(bitsPerPixel, 28);
  return bytes;
}

describe('inspectImage', () => {
  it.each(['png', 'jpeg', 'webp', 'gif'] as const)('reads the header of a %s', async (format) => {
    const facts = await inspectImage(await canvas(3).toFormat(format).toBuffer());
    expect(facts).toMatchObject({ format, width: 30, height: 20, pages: 1 });
  });

  it('tells whether there is an alpha channel', async () => {
    await expect(inspectImage(await canvas(4).png().toBuffer())).resolves.toMatchObject({ hasAlpha: true });
    await expect(inspectImage(await canvas(3).png().toBuffer())).resolves.toMatchObject({ hasAlpha: false });
  });

  it('counts the pictures of an animation and measures one of them', async () => {
    const frames = sharp(Buffer.alloc(30 * 40 * 3, 1), { raw: { width: 30, height: 40, channels: 3, pageHeight: 20 } });
    const other = await frames.gif({ loop: 0, delay: [10, 10], keepDuplicateFrames: true }).toBuffer();
    await expect(inspectImage(other)).resolves.toMatchObject({ width: 30, height: 20, pages: 2 });
  });

  it('reads a BMP, whichever way its rows run', async () => {
    const facts = { format: 'bmp', width: 30, height: 20, hasAlpha: false, pages: 1 };
    await expect(inspectImage(bitmap(30, 20, 24))).resolves.toEqual(facts);
    await expect(inspectImage(bitmap(30, -20, 32))).resolves.toEqual({ ...facts, hasAlpha: true });
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
    ['a short BMP', bitmap(30, 20, 24).subarray(0, 26)],
    ['a BMP without width', bitmap(0, 20, 24)],
    ['a BMP of negative width', bitmap(-30, 20, 24)],
    ['nothing', Buffer.alloc(0)],
  ])('refuses %s', async (_case, bytes) => {
    await expect(inspectImage(bytes)).rejects.toMatchObject({ name: 'ImageError' });
  });
});
