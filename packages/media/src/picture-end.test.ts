import sharp from 'sharp';
import { acceptFile } from './accept-file';
import { endOfPicture } from './picture-end';

const plain = () => sharp({ create: { width: 31, height: 17, channels: 4, background: '#4088c0' } });
const noise = (channels: 3 | 4) =>
  sharp({
    create: { width: 64, height: 48, channels, background: '#fff', noise: { type: 'gaussian', mean: 128, sigma: 50 } },
  });

/** Two by two, 24 bits a pixel, rows padded to four bytes. */
function bitmap(): Buffer {
  const bytes = Buffer.alloc(54 + 16);
  bytes.write('BM');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(2, 18);
  bytes.writeInt32LE(-2, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  bytes.writeUInt32LE(0, 30);
  return bytes;
}

const PICTURES: [name: string, contentType: string, make: () => Promise<Buffer> | Buffer][] = [
  ['PNG', 'image/png', () => plain().png().toBuffer()],
  ['PNG with a palette', 'image/png', () => noise(3).png({ palette: true }).toBuffer()],
  ['JPEG', 'image/jpeg', () => noise(3).jpeg().toBuffer()],
  [
    'progressive JPEG with a profile',
    'image/jpeg',
    () => noise(3).withIccProfile('p3').jpeg({ progressive: true }).toBuffer(),
  ],
  ['JPEG with a thumbnail in its metadata', 'image/jpeg', jpegInJpeg],
  ['WebP', 'image/webp', () => noise(3).webp().toBuffer()],
  [
    'lossless WebP with metadata',
    'image/webp',
    () => noise(4).withIccProfile('p3').webp({ lossless: true }).toBuffer(),
  ],
  ['GIF', 'image/gif', () => noise(3).gif().toBuffer()],
  ['animated GIF', 'image/gif', animation],
  ['BMP', 'image/bmp', bitmap],
];

/** A picture in an application segment has an end of its own, which is not that of the file. */
async function jpegInJpeg(): Promise<Buffer> {
  const [inner, outer] = [await plain().removeAlpha().jpeg().toBuffer(), await noise(3).jpeg().toBuffer()];
  const segment = Buffer.alloc(4);
  segment.writeUInt16BE(0xffe5);
  segment.writeUInt16BE(inner.length + 2, 2);
  return Buffer.concat([outer.subarray(0, 2), segment, inner, outer.subarray(2)]);
}

async function animation(): Promise<Buffer> {
  const frames = await Promise.all([1, 2, 3].map(() => noise(3).png().toBuffer()));
  return sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
}

const TRAILERS: [name: string, bytes: Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['a ZIP', Buffer.from('PK\x03\x04 and so on, up to its directory PK\x05\x06', 'latin1')],
  ['a web page', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['what looks like ends', Buffer.from('\xff\xd9IEND\xae\x42\x60\x82\x3b\x00\x3b\xff\xd9', 'latin1')],
  ['a megabyte', Buffer.alloc(1024 * 1024, 'x')],
];

const CONTENT_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/bmp'];
const accept = (bytes: Buffer) =>
  acceptFile({ field: 'file', maxBytes: 20_000_000, contentTypes: CONTENT_TYPES }, bytes);

describe.each(PICTURES)('%s', (_name, contentType, make) => {
  let picture: Buffer;
  beforeAll(async () => {
    picture = await make();
  });

  it.each(TRAILERS)('is kept without %s behind it', async (_trailer, trailer) => {
    const { bytes, contentType: judged } = await accept(Buffer.concat([picture, trailer]));
    expect(judged).toBe(contentType);
    expect(bytes.equals(picture)).toBe(true);
  });

  it('has no end where its own is missing', () => {
    for (const length of [picture.length - 1, Math.ceil(picture.length / 2), 30, 12, 3]) {
      expect(endOfPicture(picture.subarray(0, length), contentType)).toBeUndefined();
    }
  });

  it('ends within the bytes there are, whatever its own sizes say', () => {
    for (let position = 2; position < Math.min(picture.length - 4, 400); position += 1) {
      const damaged = Buffer.from(picture);
      damaged.fill(0xff, position, position + 4);
      const end = endOfPicture(damaged, contentType);
      expect(end === undefined || (end > 0 && end <= damaged.length)).toBe(true);
    }
  });
});

it('a picture that has lost its end is refused', async () => {
  const png = await plain().png().toBuffer();
  await expect(accept(png.subarray(0, png.length - 12))).rejects.toThrow('file: The image ends too early.');
});
